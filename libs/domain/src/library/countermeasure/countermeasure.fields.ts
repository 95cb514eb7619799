import { stringList, boolean, integer, line, reference, text } from '../../kernel/fields/fields.js';
import { MAX_TAG_LENGTH, LEVEL, PRIORITY } from './countermeasure.rules.js';
import type { InputOf } from '../../kernel/fields/field.js';
import { MAX_LINE_LENGTH } from '../../kernel/fields/field-checks.js';
import { provenanceFields } from '../item-reference/provenance.fields.js';
import { matchConditions } from '../match-condition/match-condition.fields.js';

/** The complete list of an item's tags in a body. */
export const tagList = (example: readonly string[], description = 'All its tags.') =>
  stringList({ maximum: MAX_TAG_LENGTH, optional: true, description, example });

export const countermeasureFields = {
  ...provenanceFields,
  title: line({ description: 'A short description of what to do.', example: 'Hash passwords with Argon2id' }),
  text: text({ description: 'CommonMark.', example: 'Store passwords **only** as slow, salted hashes.' }),
  problem: reference('weakness', { description: 'The weakness that it addresses.', example: 'P4' }),
  priority: integer({ ...PRIORITY, description: '10 is the most urgent.', example: 8 }),
  level: integer({
    ...LEVEL,
    optional: true,
    default: 1,
    description: 'The lowest level of a project that it applies to; 1 for what every team does first.',
    example: 2,
  }),
  phase: reference('phase', { description: 'The phase in which it is due.', example: 'X3' }),
  match_conditions: matchConditions('it is added to a project'),
  tags: tagList(['passwords']),
  active: boolean({ optional: true, default: true }),
};

export type CountermeasureInput = InputOf<typeof countermeasureFields>;

/** The fields in exchange files, which have more. */
export const countermeasureFileFields = {
  ...countermeasureFields,
  categories: stringList({ maximum: MAX_LINE_LENGTH, optional: true }),
  verification_coverage: stringList({ maximum: MAX_LINE_LENGTH, optional: true }),
};

export type CountermeasureOfFile = InputOf<typeof countermeasureFileFields>;
