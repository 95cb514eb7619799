import { FIXED_ATTRIBUTE } from '#domain/library/attribute/attribute.rules.js';
import { line, many, one } from './field-plan.js';
import { active, type Plans } from './plan.js';

/** The survey, what its answers say of a project, and the profiles that it can begin with. */
export const SURVEY_PLANS = {
  section: { kind: 'survey_section', ofBuiltIn: [], fields: { title: line } },
  subsection: { kind: 'survey_subsection', ofBuiltIn: [], fields: { section: one('survey_section'), title: line } },
  attribute: {
    kind: 'attribute',
    switch: active,
    ofBuiltIn: ['active'],
    refusal: FIXED_ATTRIBUTE,
    fields: { name: line, parent: one('attribute') },
  },
  question: {
    kind: 'survey_question',
    ofBuiltIn: [],
    fields: { subsection: one('survey_subsection'), depends_on: many('survey_answer') },
  },
  subquestion: { kind: 'survey_subquestion', ofBuiltIn: [], fields: { question: one('survey_question') } },
  answer: {
    kind: 'survey_answer',
    switch: { field: 'is_active', off: false },
    ofBuiltIn: [],
    fields: {
      display_text: line,
      question: one('survey_question'),
      subquestion: one('survey_subquestion'),
      attributes: many('attribute'),
    },
  },
  profile: {
    kind: 'profile',
    switch: active,
    ofBuiltIn: [],
    // An organization's own default comes before the built-in one.
    givenByProduct: ['default'],
    fields: { name: line, answers: many('survey_answer'), logo_url: line },
  },
} satisfies Plans;
