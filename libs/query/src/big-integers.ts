import { type Pool, TypeOverrides } from 'pg';

const BIGINT = 20;
const BIGINT_LIST = 1016;

/** Parses a one-dimensional array in PostgreSQL's text format: `{1,2,NULL}`. */
const parseNumberArray = (text: string): (number | null)[] =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((entry) => (entry === 'NULL' ? null : Number(entry)));

/**
 * Makes a pool's connections return `bigint` as a number, as entities do. Internal ids, counts and sizes stay far below
 * the largest exact number.
 *
 * @param pool a pool whose connections have parsers of their own, before its first use
 */
export function readBigIntegers({ options: { types } }: Pool): void {
  if (!(types instanceof TypeOverrides)) throw new Error('The pool has no type parsers.');
  types.setTypeParser(BIGINT, Number);
  types.setTypeParser(BIGINT_LIST, parseNumberArray);
}
