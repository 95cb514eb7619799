import { defineEntity, p } from '@mikro-orm/core';
import { references } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/**
 * A row of an import's files, with the changes it would make. It belongs to one attempt of the job; other attempts
 * stage their own rows.
 */
export const ImportRow = defineEntity({
  name: 'ImportRow',
  tableName: 'import_row',
  ...rowsOf({ job_id: 'import_job' }),
  properties: {
    jobId: references('import_job', { onDelete: 'cascade' }).primary(),
    fence: p.integer().primary(),
    position: p.integer().primary(),
    model: p.text(),
    file: p.text(),
    row: p.integer(),
    itemId: p.text().nullable(),
    /** The values for an existing item by column; null for a new item, whose values are in its changes. */
    given: p.json<object>().columnType('json').nullable(),
    action: p.text(),
    changes: p.json<object>().columnType('json'),
    /** The largest number of a match condition in the row. */
    greatestCondition: p.integer().default(0),
    /** Size of the row's values and changes in bytes, which limits the number of rows that are read at once. */
    size: p.integer().default(0),
  },
  indexes: [
    { name: 'import_row_difference', properties: ['jobId', 'fence', 'position'], where: "action <> 'unchanged'" },
  ],
});
