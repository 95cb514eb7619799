import { optional } from '#domain/kernel/fields/field.js';
import { boolean, line, object, objectList, reference, stringList, text } from '#domain/kernel/fields/fields.js';
import { openObject } from '#domain/kernel/fields/free-fields.js';
import { MAX_ID_LENGTH } from '#domain/kernel/fields/text-limits.js';
import { tagList } from '#domain/library/countermeasure/tags.fields.js';
import {
  MAX_BULK_ASSIGNEES,
  MAX_BULK_CHANGES,
  MAX_BULK_NOTE_LENGTH,
} from '#domain/projects/project-countermeasure/bulk-change.rules.js';
import { assigneeFields, ownFields } from '#domain/projects/project-countermeasure/project-countermeasure.fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class AddProjectCountermeasure extends BodyOf({
  ...optional(ownFields),
  task_id: reference('countermeasure', {
    optional: true,
    description: 'A countermeasure of the library. If it is absent, the other fields define a project-specific one.',
    example: 'T21',
  }),
}) {}

const status = line({
  optional: true,
  maximum: 100,
  shownAsObject: true,
  description: 'Its status, by id, meaning or name, ignoring case.',
  example: 'TS1',
});

const assignees = (limit: { readonly longest?: number } = {}) =>
  objectList('AssigneeBody', assigneeFields, {
    ...limit,
    optional: true,
    shorthand: () => 'email',
    readOnlyFields: ['first_name', 'last_name', 'is_active', 'role'],
    description: 'All assigned users, as e-mail addresses or objects with an `email`. They must be active.',
    example: [{ email: 'grace@example.com' }],
  });

const tags = tagList(['passwords'], 'All tags. They replace those from the library.');

/**
 * Title, text, phase and priority can only be changed in the project's own countermeasures; in others they are ignored.
 */
export class ChangeProjectCountermeasure extends BodyOf({
  ...optional(ownFields),
  status,
  status_note: text({
    optional: true,
    blank: true,
    description: 'Text of a note to add.',
    example: 'Done with release 2.1.',
  }),
  accepted: boolean({ optional: true, description: 'Whether the project has accepted it.' }),
  assigned_to: assignees(),
  tags,
  artifact_proxy: line({
    optional: true,
    blank: true,
    description: 'Its counterpart in another system, such as an issue.',
    example: 'SHOP-123',
  }),
}) {}

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
  changes: object(
    'BulkChangesBody',
    {
      status,
      assigned_to: assignees({ longest: MAX_BULK_ASSIGNEES }),
      note: text({
        optional: true,
        blank: true,
        maximum: MAX_BULK_NOTE_LENGTH,
        description: 'Text of a note to add to each of them.',
        example: 'Done with release 2.1.',
      }),
      tags,
    },
    { description: 'What to change in each of them.', example: { status: 'TS1', note: 'Done with release 2.1.' } },
  ),
}) {}
