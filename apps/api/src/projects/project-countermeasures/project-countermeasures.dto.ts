import { optional } from '#domain/kernel/fields/field.js';
import { boolean, line, objectList, reference, text } from '#domain/kernel/fields/fields.js';
import { tagList } from '#domain/library/countermeasure/tags.fields.js';
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

/**
 * Title, text, phase and priority can only be changed in the project's own countermeasures; in others they are ignored.
 */
export class ChangeProjectCountermeasure extends BodyOf({
  ...optional(ownFields),
  status: line({
    optional: true,
    maximum: 100,
    shownAsObject: true,
    description: 'Its status, by id, meaning or name, ignoring case.',
    example: 'TS1',
  }),
  status_note: text({
    optional: true,
    blank: true,
    description: 'Text of a note to add.',
    example: 'Done with release 2.1.',
  }),
  accepted: boolean({ optional: true, description: 'Whether the project has accepted it.' }),
  assigned_to: objectList('AssigneeBody', assigneeFields, {
    optional: true,
    shorthand: () => 'email',
    readOnlyFields: ['first_name', 'last_name', 'is_active', 'role'],
    description: 'All assigned users, as e-mail addresses or objects with an `email`. They must be active.',
    example: [{ email: 'grace@example.com' }],
  }),
  tags: tagList(['passwords'], 'All tags. They replace those from the library.'),
  artifact_proxy: line({
    optional: true,
    blank: true,
    description: 'Its counterpart in another system, such as an issue.',
    example: 'SHOP-123',
  }),
}) {}
