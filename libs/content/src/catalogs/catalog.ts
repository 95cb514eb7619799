import type { Cwe } from '../library/public-tables/cwe-table.js';
import type { Capec } from '../library/public-tables/reference-tables.js';

/** The public catalogs that can be imported, by what the command line calls them. */
export const CATALOG_KINDS = ['cwe', 'capec', 'attack', 'emb3d', 'asvs', 'oscal'] as const;

export type CatalogKind = (typeof CATALOG_KINDS)[number];

/** Where a catalog comes from, and under what terms. */
export interface CatalogSource {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** What a catalog may not say of itself: the caller's word stands above the file's. */
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

/** A section of a regulation. */
export interface Section {
  readonly code: string;
  readonly title: string;
}

/** A catalog as it was read from a file, checked for shape. */
export type Catalog = { readonly source: CatalogSource } & (
  | { readonly kind: 'cwe'; readonly cwes: readonly Cwe[] }
  | { readonly kind: 'capec'; readonly capecs: readonly Capec[] }
  | { readonly kind: 'attack' | 'emb3d'; readonly framework: string; readonly entries: readonly FrameworkEntry[] }
  | {
      readonly kind: 'asvs' | 'oscal';
      readonly regulation: { readonly name: string; readonly url: string };
      readonly sections: readonly Section[];
    }
);

/** A file that is not the catalog that it should be. The message says what and where, in one line. */
export class BrokenCatalog extends Error {}

/** Throws `BrokenCatalog` where two entries have one id. */
export function checkUnique(what: string, ids: readonly (string | number)[]): void {
  const seen = new Set<string | number>();
  for (const id of ids) {
    if (seen.has(id)) throw new BrokenCatalog(`${what} ${id} occurs twice.`);
    seen.add(id);
  }
}

/** Throws `BrokenCatalog` where a catalog holds nothing. */
export function checkFilled(what: string, entries: readonly unknown[]): void {
  if (!entries.length) throw new BrokenCatalog(`The file holds no ${what}.`);
}

/** The version of a catalog. Throws `BrokenCatalog` where neither the caller nor the file states one. */
export function versionOf(stated: Stated, found: string | undefined): string {
  const version = stated.version ?? found;
  if (version === undefined) throw new BrokenCatalog('The file does not state its version: give it with --version.');
  return version;
}
