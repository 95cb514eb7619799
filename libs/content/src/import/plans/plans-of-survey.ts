import * as survey from '#domain/library/survey/survey.commands.js';
import { lockTree } from '#domain/library/attribute/attribute-tree.js';
import { writeProfiles } from '#domain/library/profile/profile.commands.js';
import { writeAttributes } from '#domain/library/attribute/attribute.commands.js';
import { FIXED_ATTRIBUTE } from '#domain/library/attribute/attribute.rules.js';
import { active, type Plans } from './plan.js';

/** The survey, attributes and profiles. */
export const SURVEY_PLANS = {
  section: {
    kind: 'survey_section',
    write: survey.writeSections,
    changeableIfBuiltIn: [],
  },
  subsection: {
    kind: 'survey_subsection',
    write: survey.writeSubsections,
    changeableIfBuiltIn: [],
  },
  attribute: {
    kind: 'attribute',
    write: writeAttributes,
    lock: lockTree,
    activation: active,
    changeableIfBuiltIn: ['active'],
    refusal: FIXED_ATTRIBUTE,
  },
  question: {
    kind: 'survey_question',
    write: survey.writeQuestions,
    changeableIfBuiltIn: [],
  },
  subquestion: {
    kind: 'survey_subquestion',
    write: survey.writeSubquestions,
    changeableIfBuiltIn: [],
  },
  answer: {
    kind: 'survey_answer',
    write: survey.writeAnswers,
    activation: { field: 'is_active', off: false },
    changeableIfBuiltIn: [],
  },
  profile: {
    kind: 'profile',
    write: writeProfiles,
    activation: active,
    changeableIfBuiltIn: [],
    // An organization's default profile replaces the built-in default.
    computedIfBuiltIn: ['default'],
  },
} satisfies Plans;
