import { rowsOf } from './reference-file.js';

/** One weakness of the Common Weakness Enumeration. */
export interface Cwe {
  readonly id: number;
  readonly title: string;
  readonly abstraction: string;
  readonly status: string;
  /** The CWEs that it is a special case of. */
  readonly parents: readonly number[];
}

/** The whole public table, deprecated entries too, by number. */
export const CWES = 'cwes.json';

type CweRow = readonly [id: number, title: string, abstraction: string, status: string, parents: readonly number[]];

/** Reads the table. */
export async function readCweTable(): Promise<Cwe[]> {
  const rows = await rowsOf<CweRow>(CWES);
  return rows.map(([id, title, abstraction, status, parents]) => ({ id, title, abstraction, status, parents }));
}
