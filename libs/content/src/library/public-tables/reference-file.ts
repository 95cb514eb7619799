import { readFile } from 'node:fs/promises';

/** Reads a file of `libs/content/reference`, which has the same relative path from the sources and from `dist`. */
export const textOf = (file: string): Promise<string> =>
  readFile(new URL(`../../../reference/${file}`, import.meta.url), { encoding: 'utf8' });

/** Reads the rows of a JSON table. */
export async function rowsOf<Row>(file: string): Promise<readonly Row[]> {
  return (JSON.parse(await textOf(file)) as { readonly entries: readonly Row[] }).entries;
}
