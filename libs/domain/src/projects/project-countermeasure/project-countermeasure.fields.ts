import { MAX_EMAIL_LENGTH } from '../../access/user/user.rules.js';
import { type InputOf, optional } from '../../kernel/fields/field.js';
import { boolean, integer, line, objectList, reference, text } from '../../kernel/fields/fields.js';
import { PRIORITY } from '../../library/countermeasure/countermeasure.rules.js';
import { tagList } from '../../library/countermeasure/countermeasure.fields.js';
import { MAX_BULK_ASSIGNEES, MAX_BULK_NOTE_LENGTH } from './project-countermeasure.rules.js';

/** The content of a project-specific countermeasure. All of it is required. */
export const ownFields = {
  title: line({ description: 'A short description of what to do.', example: 'Have the payment page reviewed' }),
  text: text({ description: 'CommonMark.', example: 'Before **each** release, by someone from outside of the team.' }),
  phase: reference('phase', { description: 'The phase in which it is due.', example: 'X4' }),
  priority: integer({ ...PRIORITY, description: '10 is the most urgent.', example: 7 }),
};

export type OwnFields = InputOf<typeof ownFields>;

/** The fields to add a countermeasure: the id of a library countermeasure, or the content of a project-specific one. */
export const newProjectCountermeasureFields = {
  ...optional(ownFields),
  task_id: reference('countermeasure', {
    optional: true,
    description: 'A countermeasure of the library. If it is absent, the other fields define a project-specific one.',
    example: 'T21',
  }),
};

export type NewProjectCountermeasure = InputOf<typeof newProjectCountermeasureFields>;

const status = line({
  optional: true,
  maximum: 100,
  shownAsObject: true,
  description: 'Its status, by id, meaning or name, ignoring case.',
  example: 'TS1',
});

const assigneeFields = {
  email: line({ maximum: MAX_EMAIL_LENGTH, blank: true, example: 'grace@example.com' }),
};

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

export const projectCountermeasureChangeFields = {
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
};

export type ProjectCountermeasureChanges = InputOf<typeof projectCountermeasureChangeFields>;

/** What can change in many countermeasures alike. */
export const bulkChangeFields = {
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
};

export type BulkChanges = InputOf<typeof bulkChangeFields>;
