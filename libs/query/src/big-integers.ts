import { type Pool, TypeOverrides } from 'pg';

const BIGINT = 20;
const BIGINT_LIST = 1016;

/** A list of one dimension, as PostgreSQL writes it: `{1,2,NULL}`. */
const numbersOf = (text: string): (number | null)[] =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((entry) => (entry === 'NULL' ? null : Number(entry)));

/**
 * Makes the connections of a pool read `bigint` as a number, as entities have it: internal ids, counts and sizes, none
 * of which gets near to where numbers are no longer exact.
 *
 * @param pool a pool of connections with parsers of its own, before its first use
 */
export function readBigIntegers({ options: { types } }: Pool): void {
  if (!(types instanceof TypeOverrides)) throw new Error('The pool has no parsers of its own.');
  types.setTypeParser(BIGINT, Number);
  types.setTypeParser(BIGINT_LIST, numbersOf);
}
