import { p } from '@mikro-orm/core';
import { textList } from '../../kernel/schema/columns.js';

/** What a version rests on, and when it was last compared with that. */
export const provenanceProperties = () => ({
  references: textList(),
  reviewedAt: p.text().columnType('date').nullable(),
});
