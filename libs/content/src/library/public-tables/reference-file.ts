import { readFile } from 'node:fs/promises';

/** Text of a file of `libs/content/reference`, which is next to this file's sources and next to its compiled form. */
export const textOf = (file: string): Promise<string> =>
  readFile(new URL(`../../../reference/${file}`, import.meta.url), { encoding: 'utf8' });

/** The rows of a file that is a table. */
export async function rowsOf<Row>(file: string): Promise<readonly Row[]> {
  return (JSON.parse(await textOf(file)) as { readonly entries: readonly Row[] }).entries;
}
