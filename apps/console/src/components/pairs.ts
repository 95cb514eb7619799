import { strings } from '../strings.ts';
import type { Option } from './options.tsx';

/** A name with its value, as one row of a form. */
export type Pair = readonly [name: string, value: string];

/** What the rows of a field contain. */
export interface PairsOptions {
  readonly nameLabel: string;
  readonly valueLabel: string;
  /** The allowed names; any if absent. */
  readonly names?: readonly Option[];
  /** The allowed values; any if absent. */
  readonly values?: readonly Option[];
  /** Whether there is one row for each allowed name, also without a value. */
  readonly hasAllNames?: boolean;
}

export const pairsOf = (map: Readonly<Record<string, string>>): Pair[] => Object.entries(map);

/** The rows with a value, as the API has them. */
export const mapOf = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(pairs.map(([name, value]) => [name.trim(), value.trim()]).filter(([, value]) => value !== ''));

/** The rows that a field shows: also an empty one for each name that an error is about. */
export function rowsOf(
  { names = [], hasAllNames = false }: PairsOptions,
  pairs: readonly Pair[],
  named: readonly string[],
): Pair[] {
  const all = hasAllNames ? names.map(({ value }) => value) : [...pairs.map(([name]) => name), ...named];
  const missing = [...new Set(all)].filter((name) => !pairs.some(([given]) => given === name));
  const rows = [...pairs, ...missing.map((name): Pair => [name, ''])];
  return hasAllNames ? rows.toSorted(([one], [other]) => all.indexOf(one) - all.indexOf(other)) : rows;
}

/** Why rows can't be saved. */
export function pairsError({ hasAllNames = false }: PairsOptions, pairs: readonly Pair[]): string | undefined {
  if (hasAllNames) return undefined;
  const names = pairs.map(([name]) => name.trim());
  if (names.includes('') || pairs.some(([, value]) => value.trim() === '')) return strings.pairIncomplete;
  return new Set(names).size < names.length ? strings.pairTwice : undefined;
}
