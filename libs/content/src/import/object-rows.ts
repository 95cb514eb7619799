import type { Column } from '../models/content-model.js';
import { checkHeader } from './header.js';

/** The members of a row that is an object; undefined, and told, where it is none. */
export function rowOf(
  value: unknown,
  row: number,
  refuse: (row: number, field: string | null, details: string) => void,
): Readonly<Record<string, unknown>> | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  refuse(row, null, 'A row must be an object.');
  return undefined;
}

/** Checks the names of a row's members, each once in a file: `checked` has those that are sound. Throws `ImportFailure`. */
export function checkNames(
  file: string,
  row: number,
  values: Readonly<Record<string, unknown>>,
  columns: readonly Column[],
  checked: Set<string>,
): void {
  const fresh = Object.keys(values).filter((name) => !checked.has(name));
  if (!fresh.length) return;
  checkHeader(file, row, fresh, columns);
  for (const name of fresh) checked.add(name);
}
