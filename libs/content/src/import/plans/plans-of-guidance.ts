import { writeWorkflowPrompts } from '#domain/library/workflow-prompt/workflow-prompt.commands.js';
import { writeTrainingModules } from '#domain/library/training-module/training-module.commands.js';
import { writeRegulations, writeRegulationSections } from '#domain/library/regulation/regulation.commands.js';
import { writePhases } from '#domain/library/phase/phase.commands.js';
import { writeGlossaryTerms } from '#domain/library/glossary-term/glossary-term.commands.js';
import { FIXED_PHASE } from '#domain/library/phase/phase.rules.js';
import { CONTENT_TYPES, CONTEXT_ORDINAL } from '#domain/library/workflow-prompt/workflow-prompt.rules.js';
import { contextReferences, promptContexts } from './nested-values.js';
import { active, type Plans } from './plan.js';

/** Phases, the glossary, regulations, workflow prompts and training modules. */
export const GUIDANCE_PLANS = {
  phase: {
    kind: 'phase',
    write: writePhases,
    activation: active,
    changeableIfBuiltIn: [],
    refusal: FIXED_PHASE,
  },
  glossary_term: {
    kind: 'glossary_term',
    write: writeGlossaryTerms,
    changeableIfBuiltIn: [],
  },
  regulation: {
    kind: 'regulation',
    write: writeRegulations,
    changeableIfBuiltIn: [],
  },
  regulation_section: {
    kind: 'regulation_section',
    write: writeRegulationSections,
    changeableIfBuiltIn: [],
  },
  workflow_prompt: {
    kind: 'workflow_prompt',
    write: writeWorkflowPrompts,
    activation: active,
    fields: {
      contexts: { normal: promptContexts(CONTENT_TYPES, CONTEXT_ORDINAL), refersTo: contextReferences },
    },
  },
  training_module: {
    kind: 'training_module',
    write: writeTrainingModules,
    activation: active,
    changeableIfBuiltIn: [],
  },
} satisfies Plans;
