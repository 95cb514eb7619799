import { rowsOf } from './reference-file.js';

/** An entry of the Common Weakness Enumeration. */
export interface Cwe {
  readonly id: number;
  readonly title: string;
  readonly abstraction: string;
  readonly status: string;
  /** Its parents in the view "Research Concepts". */
  readonly parents: readonly number[];
}

/** All CWEs by number, including deprecated ones. */
export const CWES = 'cwes.json';

type CweRow = readonly [id: number, title: string, abstraction: string, status: string, parents: readonly number[]];

/** Reads the table. */
export async function readCweTable(): Promise<Cwe[]> {
  const rows = await rowsOf<CweRow>(CWES);
  return rows.map(([id, title, abstraction, status, parents]) => ({ id, title, abstraction, status, parents }));
}
