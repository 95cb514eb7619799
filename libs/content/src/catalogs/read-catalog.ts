import { open } from 'node:fs/promises';
import path from 'node:path';
import type { SectionPair } from '#domain/library/regulation/carried-mappings.js';
import { BrokenCatalog, type Catalog, type CatalogKind, type Stated } from './catalog.js';
import { readAsvs } from './read-asvs.js';
import { readCwe } from './read-cwe.js';
import { readOscal } from './read-oscal.js';
import { parseSectionPairs } from './section-pairs.js';
import { readAtlas, readAttack, readEmb3d } from './read-framework.js';
import { readCapec } from './read-stix.js';

/** ATT&CK Enterprise, the largest public catalog, has about 50 MB. */
const MAX_BYTES = 256 * 2 ** 20;

type Reader = (text: string, stated: Stated, file: string, source?: string) => Catalog;

const READERS: Readonly<Record<CatalogKind, Reader>> = {
  cwe: readCwe,
  capec: readCapec,
  attack: readAttack,
  emb3d: readEmb3d,
  atlas: readAtlas,
  asvs: readAsvs,
  oscal: (text, stated, _file, source) => readOscal(text, stated, source),
};

/**
 * Parses a catalog.
 *
 * @param file its name
 * @param source the catalog that an OSCAL profile selects controls of
 * @throws BrokenCatalog if the text is not a valid catalog of this kind
 */
export const parseCatalog = (kind: CatalogKind, text: string, stated: Stated, file: string, source?: string): Catalog =>
  READERS[kind](text, stated, path.basename(file), source);

/**
 * Reads a catalog from a file.
 *
 * @param source file with the catalog that an OSCAL profile selects controls of
 * @throws BrokenCatalog if the file is not a valid catalog of this kind, is not UTF-8 or is too large
 */
export async function readCatalog(kind: CatalogKind, file: string, stated: Stated, source?: string): Promise<Catalog> {
  const text = await readText(file);
  return parseCatalog(kind, text, stated, file, source === undefined ? undefined : await readText(source));
}

/** Reads a table of the sections that take the place of those of another edition. Throws `BrokenCatalog`. */
export const readSectionPairs = async (file: string): Promise<SectionPair[]> =>
  parseSectionPairs(await readText(file), file);

async function readText(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const found = await handle.stat();
    if (found.isDirectory()) throw new BrokenCatalog(`${file} is a folder, not a file.`);
    const { size } = found;
    if (size > MAX_BYTES) throw new BrokenCatalog(`The file has ${size} bytes; the limit is ${MAX_BYTES}.`);
    const bytes = await handle.readFile();
    return decode(bytes);
  } finally {
    await handle.close();
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BrokenCatalog('The file is not UTF-8.');
  }
}
