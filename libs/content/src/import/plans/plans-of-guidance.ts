import { FIXED_PHASE } from '#domain/library/phase/phase.rules.js';
import {
  cleanVariables,
  CONTENT_TYPES,
  CONTEXT_ORDINAL,
} from '#domain/library/workflow-prompt/workflow-prompt.rules.js';
import { line, many, one, texts } from './field-plan.js';
import { contextReferences, promptContexts } from './nested-values.js';
import { active, type Plans } from './plan.js';

/** What orders and explains the rest: phases, the glossary, regulations, workflow prompts, training modules. */
export const GUIDANCE_PLANS = {
  phase: {
    kind: 'phase',
    switch: active,
    ofBuiltIn: [],
    refusal: FIXED_PHASE,
    fields: { name: line, slug: line },
  },
  glossary_term: { kind: 'glossary_term', ofBuiltIn: [], fields: { term: line } },
  regulation: { kind: 'regulation', ofBuiltIn: [], fields: { name: line, slug: line, version: line, url: line } },
  regulation_section: {
    kind: 'regulation_section',
    ofBuiltIn: [],
    fields: { regulation: one('regulation'), code: line, title: line, countermeasures: many('countermeasure') },
  },
  workflow_prompt: {
    kind: 'workflow_prompt',
    switch: active,
    fields: {
      title: line,
      variables: texts(cleanVariables),
      contexts: { normal: promptContexts(CONTENT_TYPES, CONTEXT_ORDINAL), refersTo: contextReferences },
    },
  },
  training_module: {
    kind: 'training_module',
    switch: active,
    ofBuiltIn: [],
    fields: { title: line, url: line, countermeasures: many('countermeasure') },
  },
} satisfies Plans;
