import { ComponentVersion } from '#domain/library/component/component.entity.js';
import { DEFAULT_ICON, FIXED_ICON } from '#domain/library/component/component.rules.js';
import { relatedTables, line, many, negated, one, plain } from './field-plan.js';
import * as nested from './nested-values.js';
import { description, longText, type Plans, version } from './plan.js';
import { textOf } from '../formats/text-of.js';

/** Components, and what is asked about them. */
export const COMPONENT_PLANS = {
  component_question: {
    kind: 'component_question',
    subject: 'component_question',
    title: 'text',
    ofBuiltIn: [],
    stamps: ['updated_at'],
    fields: {
      text: longText,
      description,
      question_type: plain('question_type', 'text'),
      answers: relatedTables({
        normal: nested.componentAnswers,
        refersTo: nested.componentAnswerReferences,
        otherwise: [],
      }),
    },
  },
  component: {
    kind: 'component',
    subject: 'component',
    title: 'title',
    switch: { field: 'hidden', off: true },
    version: version(ComponentVersion),
    fixed: { icon_slug: FIXED_ICON },
    givenByProduct: ['implied_attributes'],
    fields: {
      title: line('title'),
      description: plain('text', 'text', ''),
      answer_mapping: one('answer_id', 'survey_answer', null),
      tasks_implemented: many('tasks_implemented', 'countermeasure'),
      tasks_introduced: many('tasks_introduced', 'countermeasure'),
      hidden: negated('active', true),
      implied_attributes: many('implied_attributes', 'attribute'),
      icon_slug: {
        ...line('icon_slug', DEFAULT_ICON),
        refersTo: (value) => [{ target: 'component_icon', id: textOf(value) }],
      },
      component_questions: relatedTables({
        normal: nested.questionnaire,
        refersTo: nested.questionnaireReferences,
        otherwise: [],
      }),
    },
  },
} satisfies Plans;
