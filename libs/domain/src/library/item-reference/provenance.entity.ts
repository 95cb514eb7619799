import { p } from '@mikro-orm/core';
import { textList } from '../../kernel/schema/columns.js';

/** What a version rests on, and when somebody last compared it with that. */
export const provenanceProperties = () => ({
  references: textList(),
  reviewedAt: p.text().columnType('date').nullable(),
});
