import type { FieldMessages } from '#domain/kernel/domain-errors.js';
import { jsonObject } from '#domain/kernel/fields/free-fields.js';
import { boolean, reference, text } from '#domain/kernel/fields/fields.js';
import { surveyCommentFields } from '#domain/projects/survey-comment/survey-comment.commands.js';
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
    example: true,
  }),
}) {}

export class ChangeDraftAnswer extends BodyOf({
  selected: boolean({
    optional: true,
    description: '`true` chooses the answer, also if it was only suggested; `false` rejects it.',
  }),
}) {}

/** Validation errors of answers by public id: whether they are chosen must be a boolean. */
const choiceErrors = (answers: Readonly<Record<string, unknown>>): FieldMessages | undefined => {
  const errors = Object.entries(answers).flatMap(([id, selected]) =>
    typeof selected === 'boolean' ? [] : [[id, ['Must be true or false.']] as const],
  );
  return errors.length ? Object.fromEntries(errors) : undefined;
};

export class PreviewDraft extends BodyOf({
  answers: jsonObject({ type: 'object', additionalProperties: { type: 'boolean' } }, choiceErrors, {
    optional: true,
    description: 'Answers to choose (`true`) or to reject (`false`) before the draft would be saved, by id.',
    example: { A1: true, A5: false },
  }),
}) {}

export class ChangeSurveyComment extends BodyOf({
  text: text({ optional: true, description: 'The comment. Only its author can change it.' }),
  pinned: boolean({ optional: true, description: 'Whether it is shown first.' }),
  locked: boolean({ optional: true, description: 'Whether its text can no longer be changed.' }),
}) {}

export class CreateSurveyComment extends BodyOf(surveyCommentFields) {}
