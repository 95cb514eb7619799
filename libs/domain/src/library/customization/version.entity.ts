import { p } from '@mikro-orm/core';
import { textArray } from '../../kernel/text-array.js';

/**
 * What every version row of an overlaid kind has. Times are set by SQL alone and never read here: a
 * JavaScript date would lose their microseconds.
 */
export const versionProperties = {
  id: p.bigint('number').primary(),
  organizationId: p.bigint('number').nullable(),
  isCustom: p.boolean(),
  number: p.integer(),
  revision: p.integer(),
  changedFields: textArray(),
  title: p.text(),
  text: p.text(),
  active: p.boolean(),
  createdBy: p.bigint('number').nullable(),
  updatedBy: p.bigint('number').nullable(),
  updatedAt: p.datetime().defaultRaw('statement_timestamp()').lazy(),
};
