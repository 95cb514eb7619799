import { boolean, reference, text } from '#domain/kernel/fields/fields.js';
import { surveyCommentFields } from '#domain/projects/survey-comment/survey-comment.fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class ChangeDraft extends BodyOf({
  profile: reference('profile', {
    optional: true,
    description: "Its answers replace those in the draft. The project's profile changes when the draft is saved.",
    example: 'P1',
  }),
  question: reference('survey_question', {
    optional: true,
    description: 'A multiple-choice question that `none` is about.',
    example: 'Q1',
  }),
  none: boolean({
    optional: true,
    description: '`true` answers the question with "None of these" and clears its answers; `false` takes that back.',
  }),
}) {}

export class ChangeDraftAnswer extends BodyOf({
  selected: boolean({
    optional: true,
    description: '`true` chooses the answer, also if it was only suggested; `false` rejects it.',
  }),
}) {}

export class ChangeSurveyComment extends BodyOf({
  text: text({ optional: true, description: 'The comment. Only its author can change it.' }),
  pinned: boolean({ optional: true, description: 'Whether it is shown first.' }),
  locked: boolean({ optional: true, description: 'Whether its text can no longer be changed.' }),
}) {}

export class CreateSurveyComment extends BodyOf(surveyCommentFields) {}
