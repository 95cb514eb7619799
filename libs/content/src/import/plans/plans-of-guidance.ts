import { FIXED_PHASE } from '#domain/library/phase/phase.rules.js';
import {
  cleanVariables,
  CONTENT_TYPES,
  CONTEXT_ORDINAL,
} from '#domain/library/workflow-prompt/workflow-prompt.rules.js';
import { relatedTables, line, many, one, plain, texts } from './field-plan.js';
import * as nested from './nested-values.js';
import { active, activeField, description, ordinal, type Plans } from './plan.js';

/** Countermeasures that an item names, in a table of their own. */
const countermeasures = { ...many('', 'countermeasure'), columns: {}, write: () => ({}) };

/** What orders and explains the rest: phases, the glossary, regulations, workflow prompts, training modules. */
export const GUIDANCE_PLANS = {
  phase: {
    kind: 'phase',
    subject: 'phase',
    title: 'name',
    switch: active,
    ofBuiltIn: [],
    refusal: FIXED_PHASE,
    fields: {
      name: line('name'),
      slug: line('slug'),
      description,
      tip: plain('tip', 'text', ''),
      ordinal,
      active: activeField,
      retain: plain('retain', 'boolean', false),
    },
  },
  glossary_term: {
    kind: 'glossary_term',
    subject: 'glossary_term',
    title: 'term',
    ofBuiltIn: [],
    fields: { term: line('term'), definition: plain('definition', 'text') },
  },
  regulation: {
    kind: 'regulation',
    subject: 'regulation',
    title: 'name',
    slugOf: 'name',
    ofBuiltIn: [],
    fields: { name: line('name'), slug: line('slug'), version: line('version', ''), url: line('url', '') },
  },
  regulation_section: {
    kind: 'regulation_section',
    subject: 'regulation_section',
    title: 'title',
    ofBuiltIn: [],
    ordinal: { within: 'regulation_id' },
    fields: {
      regulation: one('regulation_id', 'regulation'),
      code: line('code', ''),
      title: line('title'),
      ordinal,
      countermeasures,
    },
  },
  workflow_prompt: {
    kind: 'workflow_prompt',
    subject: 'workflow_prompt',
    title: 'title',
    switch: active,
    stamps: ['created_by', 'updated_by', 'updated_at'],
    fields: {
      title: line('title'),
      type: plain('type', 'text'),
      prompt: plain('prompt', 'text'),
      variables: texts('variables', cleanVariables),
      active: activeField,
      contexts: relatedTables({
        normal: nested.promptContexts(CONTENT_TYPES, CONTEXT_ORDINAL),
        refersTo: nested.contextReferences,
        otherwise: [],
      }),
    },
  },
  training_module: {
    kind: 'training_module',
    subject: 'training_module',
    title: 'title',
    switch: active,
    ofBuiltIn: [],
    fields: {
      title: line('title'),
      description,
      url: line('url', ''),
      active: activeField,
      countermeasures,
    },
  },
} satisfies Plans;
