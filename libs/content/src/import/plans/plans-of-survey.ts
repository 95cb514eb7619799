import * as survey from '#domain/library/survey/survey.commands.js';
import { lockTree } from '#domain/library/attribute/attribute-tree.js';
import { writeProfiles } from '#domain/library/profile/profile.commands.js';
import { writeAttributes } from '#domain/library/attribute/attribute.commands.js';
import { FIXED_ATTRIBUTE } from '#domain/library/attribute/attribute.rules.js';
import { line, many, one } from './field-plan.js';
import { active, type Plans } from './plan.js';

/** The survey, what its answers say of a project, and the profiles that it can begin with. */
export const SURVEY_PLANS = {
  section: {
    kind: 'survey_section',
    write: survey.writeSections,
    ofBuiltIn: [],
    fields: { title: line },
  },
  subsection: {
    kind: 'survey_subsection',
    write: survey.writeSubsections,
    ofBuiltIn: [],
    fields: { section: one('survey_section'), title: line },
  },
  attribute: {
    kind: 'attribute',
    write: writeAttributes,
    lock: lockTree,

    switch: active,
    ofBuiltIn: ['active'],
    refusal: FIXED_ATTRIBUTE,
    fields: { name: line, parent: one('attribute') },
  },
  question: {
    kind: 'survey_question',
    write: survey.writeQuestions,

    ofBuiltIn: [],
    fields: { subsection: one('survey_subsection'), depends_on: many('survey_answer') },
  },
  subquestion: {
    kind: 'survey_subquestion',
    write: survey.writeSubquestions,
    ofBuiltIn: [],
    fields: { question: one('survey_question') },
  },
  answer: {
    kind: 'survey_answer',
    write: survey.writeAnswers,

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
    write: writeProfiles,

    switch: active,
    ofBuiltIn: [],
    // An organization's own default comes before the built-in one.
    givenByProduct: ['default'],
    fields: { name: line, answers: many('survey_answer'), logo_url: line },
  },
} satisfies Plans;
