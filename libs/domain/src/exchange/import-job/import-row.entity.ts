import { defineEntity, p } from '@mikro-orm/core';
import { references } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/**
 * A row of an import’s files, with what it would change. It belongs to one attempt of the job: another worker that
 * takes it again writes rows of its own.
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
    /** What the file gives of an item that is there: columns by name. Of a new one, that is in its changes. */
    given: p.json<object>().columnType('json').nullable(),
    action: p.text(),
    changes: p.json<object>().columnType('json'),
    /** The greatest number that the row gives to a match condition. */
    greatestCondition: p.integer().default(0),
    /** Bytes of what the file gives and of the changes: rows are read as many at once as memory has room for. */
    size: p.integer().default(0),
  },
  indexes: [
    { name: 'import_row_difference', properties: ['jobId', 'fence', 'position'], where: "action <> 'unchanged'" },
  ],
});
