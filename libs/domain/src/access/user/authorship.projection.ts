import { sql } from 'kysely';
import { timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { Fields } from '#query/projection.js';
import { userFilter, userOrder, userReference } from './user-reference.js';

const columns = { created: sql`item.created_at`, updated: sql`item.updated_at`, editor: sql`item.updated_by` };
const [MADE, CHANGED] = ['When it was created.', 'When it was last changed.'];

/** The creation time and last change of an item. */
export const times = {
  fields: { created: timestampField(columns.created, MADE), updated: timestampField(columns.updated, CHANGED) },
  filters: { created: filters.timestamp(columns.created, MADE), updated: filters.timestamp(columns.updated, CHANGED) },
  orderings: { created: [columns.created], updated: [columns.updated] },
};

/** The user who last changed a library item. */
export const editor = {
  field: userReference(columns.editor, 'Who changed it last.'),
  filter: userFilter(columns.editor, 'The user who changed it last; 0 for built-in content.'),
  order: userOrder(columns.editor),
};

/** The author and last editor of a library item, with times. Kinds differ in the name of the creation time. */
export const authorship = {
  fields: (created: 'created_date' | 'created_date_time'): Fields => ({
    created_by: userReference(sql`item.created_by`, 'Who created it.'),
    [created]: times.fields.created,
    last_updated_by: editor.field,
    last_updated_date: times.fields.updated,
  }),
  filters: { last_updated_by: editor.filter, last_updated_date: times.filters.updated },
};
