import { boolean, reference, text } from '#domain/kernel/fields/fields.js';
import { surveyCommentFields } from '#domain/projects/survey-comment/survey-comment.fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class ChangeDraft extends BodyOf({
  profile: reference('profile', {
    optional: true,
    description: 'Its answers take the place of those of the draft; the project gets it when the draft is saved.',
    example: 'P1',
  }),
}) {}

export class ChangeDraftAnswer extends BodyOf({
  selected: boolean({ optional: true, description: 'Whether the answer is chosen.' }),
}) {}

export class ChangeSurveyComment extends BodyOf({
  text: text({ optional: true, description: 'What you have to say; only its author can change it.' }),
  pinned: boolean({ optional: true, description: 'To be shown first.' }),
  locked: boolean({ optional: true, description: 'Its text stays as it is.' }),
}) {}

export class CreateSurveyComment extends BodyOf(surveyCommentFields) {}
