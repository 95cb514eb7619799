import { defineEntity, p } from '@mikro-orm/core';
import { computed, externalKey } from '../../kernel/schema/columns.js';

/** A status of countermeasures in projects. The migration inserts the rows. */
export const TaskStatus = defineEntity({
  name: 'TaskStatus',
  tableName: 'task_status',
  properties: {
    id: externalKey(),
    itemId: computed(`'TS' || id::text`),
    meaning: p.text().unique(),
    name: p.text(),
    slug: p.text(),
    icon: p.text(),
  },
});
