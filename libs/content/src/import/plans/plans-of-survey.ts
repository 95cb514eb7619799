import { FIXED_ATTRIBUTE } from '#domain/library/attribute/attribute.rules.js';
import { relatedTables, line, many, one, plain } from './field-plan.js';
import { active, activeField, description, longText, ordinal, type Plans } from './plan.js';
import { textOf } from '../formats/text-of.js';

/** The survey, what its answers say of a project, and the profiles that it can begin with. */
export const SURVEY_PLANS = {
  section: {
    kind: 'survey_section',
    subject: 'survey_section',
    title: 'title',
    ofBuiltIn: [],
    ordinal: {},
    fields: { title: line('title'), ordinal },
  },
  subsection: {
    kind: 'survey_subsection',
    subject: 'survey_subsection',
    title: 'title',
    ofBuiltIn: [],
    ordinal: { within: 'section_id' },
    fields: { section: one('section_id', 'survey_section'), title: line('title'), ordinal },
  },
  attribute: {
    kind: 'attribute',
    subject: 'attribute',
    title: 'name',
    switch: active,
    ofBuiltIn: ['active'],
    refusal: FIXED_ATTRIBUTE,
    stamps: ['updated_at'],
    fields: {
      name: line('name'),
      description,
      active: activeField,
      parent: relatedTables({
        refersTo: (value) => (value === null ? [] : [{ target: 'attribute', id: textOf(value) }]),
        otherwise: null,
      }),
    },
  },
  question: {
    kind: 'survey_question',
    subject: 'survey_question',
    title: 'text',
    ofBuiltIn: [],
    ordinal: { within: 'subsection_id' },
    fields: {
      text: longText,
      description,
      format: plain('format', 'text'),
      subsection: one('subsection_id', 'survey_subsection'),
      depends_on: many('depends_on', 'survey_answer'),
      ordinal,
    },
  },
  subquestion: {
    kind: 'survey_subquestion',
    subject: 'survey_subquestion',
    title: 'text',
    ofBuiltIn: [],
    ordinal: { within: 'question_id' },
    fields: { question: one('question_id', 'survey_question'), text: longText, ordinal },
  },
  answer: {
    kind: 'survey_answer',
    subject: 'survey_answer',
    title: 'text',
    switch: { field: 'is_active', off: false },
    ofBuiltIn: [],
    ordinal: { within: 'question_id' },
    fields: {
      text: longText,
      description,
      display_text: line('display_text', ''),
      is_active: plain('is_active', 'boolean', true),
      question: one('question_id', 'survey_question'),
      subquestion: one('subquestion_id', 'survey_subquestion', null),
      attributes: many('attributes', 'attribute'),
      ordinal,
    },
  },
  profile: {
    kind: 'profile',
    subject: 'profile',
    title: 'name',
    switch: active,
    ofBuiltIn: [],
    // An organization's own default comes before the built-in one.
    givenByProduct: ['default'],
    fields: {
      name: line('name'),
      description,
      answers: many('answers', 'survey_answer'),
      default: plain('is_default', 'boolean', false),
      logo_url: line('logo_url', null),
      active: activeField,
    },
  },
} satisfies Plans;
