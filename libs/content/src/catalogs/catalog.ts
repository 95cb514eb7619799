import { cleanLine, MAX_LINE_LENGTH } from '#domain/kernel/fields/field-checks.js';
import type { EditionSection } from '#domain/library/regulation/regulation-edition.commands.js';
import type { Cwe } from '../library/public-tables/cwe-table.js';
import type { Capec } from '../library/public-tables/reference-tables.js';

/** The public catalogs that can be imported, as the command line calls them. */
export const CATALOG_KINDS = ['cwe', 'capec', 'attack', 'emb3d', 'atlas', 'asvs', 'oscal'] as const;

export type CatalogKind = (typeof CATALOG_KINDS)[number];

/** The origin and the licence of a catalog. */
export interface CatalogSource {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** Facts from the command line. They override those in the file. */
export interface Stated {
  readonly version?: string;
  readonly licence?: string;
}

/** An entry of a threat framework. */
export interface FrameworkEntry {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

/** The kinds whose entries belong to a threat framework. */
export type FrameworkKind = 'attack' | 'emb3d' | 'atlas';

/** A catalog that was read from a file and validated. */
export type Catalog = { readonly source: CatalogSource } & (
  | { readonly kind: 'cwe'; readonly cwes: readonly Cwe[] }
  | { readonly kind: 'capec'; readonly capecs: readonly Capec[] }
  | {
      readonly kind: FrameworkKind;
      readonly framework: string;
      /** The part of the framework that the file contains, such as `ICS`; empty for a framework without parts. */
      readonly domain: string;
      readonly entries: readonly FrameworkEntry[];
    }
  | {
      readonly kind: 'asvs' | 'oscal';
      readonly regulation: { readonly name: string; readonly url: string };
      readonly sections: readonly EditionSection[];
    }
);

/** The file is not a valid catalog. The message says what is wrong and where, in one line. */
export class BrokenCatalog extends Error {}

/** Throws `BrokenCatalog` if two entries have the same id. */
export function checkUnique(what: string, ids: readonly (string | number)[]): void {
  const seenIds = new Set<string | number>();
  for (const id of ids) {
    if (seenIds.has(id)) throw new BrokenCatalog(`${what} ${id} occurs twice.`);
    seenIds.add(id);
  }
}

/** Throws `BrokenCatalog` if a catalog is empty. */
export function checkFilled(what: string, entries: readonly unknown[]): void {
  if (!entries.length) throw new BrokenCatalog(`The file contains no ${what}.`);
}

/** The version of a catalog. Throws `BrokenCatalog` if neither the caller nor the file states one. */
export function versionOf(stated: Stated, versionInFile: string | undefined): string {
  const version = stated.version ?? versionInFile;
  if (version === undefined) throw new BrokenCatalog('The file does not state its version: specify it with --version.');
  return version;
}

/** Makes a title of a text: removes line breaks, and cuts a long text at the end of a word. */
export function titleOf(text: string): string {
  const line = cleanLine(text.replaceAll(/\s+/g, ' '));
  if (line.length <= MAX_LINE_LENGTH) return line;
  const cut = line.slice(0, MAX_LINE_LENGTH - 1);
  return `${cut.slice(0, cut.lastIndexOf(' '))}…`;
}
