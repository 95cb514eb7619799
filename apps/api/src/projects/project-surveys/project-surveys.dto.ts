import { boolean, reference, text } from '#domain/kernel/fields/fields.js';
import { surveyCommentFields } from '#domain/projects/survey-comment/survey-comment.fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class ChangeDraft extends BodyOf({
  profile: reference('profile', {
    optional: true,
    description: "Its answers replace those in the draft. The project's profile changes when the draft is saved.",
    example: 'P1',
  }),
}) {}

export class ChangeDraftAnswer extends BodyOf({
  selected: boolean({ optional: true, description: 'Whether the answer is chosen.' }),
}) {}

export class ChangeSurveyComment extends BodyOf({
  text: text({ optional: true, description: 'The comment. Only its author can change it.' }),
  pinned: boolean({ optional: true, description: 'Whether it is shown first.' }),
  locked: boolean({ optional: true, description: 'Whether its text can no longer be changed.' }),
}) {}

export class CreateSurveyComment extends BodyOf(surveyCommentFields) {}
