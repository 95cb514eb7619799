import * as survey from '#domain/library/survey/survey.commands.js';
import { lockTree } from '#domain/library/attribute/attribute-tree.js';
import { writeProfiles } from '#domain/library/profile/profile.commands.js';
import { writeAttributes } from '#domain/library/attribute/attribute.commands.js';
import { BUILT_IN_ATTRIBUTE } from '#domain/library/attribute/attribute.rules.js';
import type { Plans } from './plan.js';

/** The survey, attributes and profiles. */
export const SURVEY_PLANS = {
  section: { write: survey.writeSections },
  subsection: { write: survey.writeSubsections },
  attribute: {
    write: writeAttributes,
    lock: lockTree,
    builtIn: BUILT_IN_ATTRIBUTE,
  },
  question: { write: survey.writeQuestions },
  subquestion: { write: survey.writeSubquestions },
  answer: { write: survey.writeAnswers },
  profile: {
    write: writeProfiles,
    // An organization's default profile replaces the built-in default.
    computedIfBuiltIn: ['default'],
  },
} satisfies Plans;
