import { p } from '@mikro-orm/core';
import { textList } from '../../kernel/schema/columns.js';

/** The references that a version is based on, and the date of its last review against them. */
export const provenanceProperties = () => ({
  references: textList(),
  reviewedAt: p.text().columnType('date').nullable(),
});
