import { object, stringList, text } from '#domain/kernel/fields/fields.js';
import { openObject } from '#domain/kernel/fields/free-fields.js';
import { MAX_ID_LENGTH } from '#domain/kernel/fields/field-checks.js';
import { MAX_BULK_CHANGES } from '#domain/projects/project-countermeasure/project-countermeasure.rules.js';
import {
  bulkChangeFields,
  newProjectCountermeasureFields,
  projectCountermeasureChangeFields,
} from '#domain/projects/project-countermeasure/project-countermeasure.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';
import { analysisNoteFields } from '#domain/projects/project-countermeasure/note.fields.js';

export class AddProjectCountermeasure extends BodyOf(newProjectCountermeasureFields) {}

/**
 * Title, text, phase and priority can only be changed in the project's own countermeasures; in others they are ignored.
 */
export class ChangeProjectCountermeasure extends BodyOf(projectCountermeasureChangeFields) {}

/** The same changes of many countermeasures. */
export class ChangeProjectCountermeasures extends BodyOf({
  ids: stringList({
    optional: true,
    blank: false,
    maximum: MAX_ID_LENGTH,
    longest: MAX_BULK_CHANGES,
    description: `The countermeasures to change, at most ${MAX_BULK_CHANGES}. Send either this or \`filter\`.`,
    example: ['1-T21', '1-T22'],
  }),
  filter: openObject({
    optional: true,
    description:
      'Query parameters of the list of countermeasures: filters and `search`. All countermeasures that this list ' +
      `contains are changed, at most ${MAX_BULK_CHANGES}. An unknown or empty filter is an error.`,
  }),
  changes: object('BulkChangesBody', bulkChangeFields, {
    description: 'What to change in each of them.',
    example: { status: 'TS1', note: 'Done with release 2.1.' },
  }),
}) {}

export const noteFields = {
  text: text({ description: 'CommonMark.', example: 'Reviewed with the team; see the **threat model**.' }),
};

export class CreateNote extends BodyOf(noteFields) {}

export class ChangeNote extends Changes(CreateNote) {}

export class CreateAnalysisNote extends BodyOf(analysisNoteFields) {}

export class ChangeAnalysisNote extends Changes(CreateAnalysisNote) {}
