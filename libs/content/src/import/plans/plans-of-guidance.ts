import { writeWorkflowPrompts } from '#domain/library/workflow-prompt/workflow-prompt.commands.js';
import { writeTrainingModules } from '#domain/library/training-module/training-module.commands.js';
import { writeRegulations, writeRegulationSections } from '#domain/library/regulation/regulation.commands.js';
import { lockRuleMappings, writeRuleMappings } from '#domain/library/rule-mapping/rule-mapping.commands.js';
import { BUILT_IN_RULE_MAPPING } from '#domain/library/rule-mapping/rule-mapping.rules.js';
import { writePhases } from '#domain/library/phase/phase.commands.js';
import { writeGlossaryTerms } from '#domain/library/glossary-term/glossary-term.commands.js';
import { BUILT_IN_PHASE } from '#domain/library/phase/phase.fields.js';
import { promptsToChange } from '#domain/library/workflow-prompt/customized-prompt.js';
import { one } from './field-plan.js';
import { contextReferences, promptContexts } from './nested-values.js';
import type { Plans } from './plan.js';

/** Phases, the glossary, regulations, workflow prompts, training modules and rule mappings. */
export const GUIDANCE_PLANS = {
  phase: {
    write: writePhases,
    builtIn: BUILT_IN_PHASE,
  },
  glossary_term: { write: writeGlossaryTerms },
  regulation: { write: writeRegulations },
  regulation_section: { write: writeRegulationSections },
  workflow_prompt: {
    write: writeWorkflowPrompts,
    customize: promptsToChange,
    fields: {
      contexts: { normal: promptContexts, refersTo: contextReferences },
    },
  },
  training_module: { write: writeTrainingModules },
  rule_mapping: {
    write: writeRuleMappings,
    lock: lockRuleMappings,
    builtIn: BUILT_IN_RULE_MAPPING,
    fields: { cwe: one('cwe') },
  },
} satisfies Plans;
