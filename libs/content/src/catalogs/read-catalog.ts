import { open } from 'node:fs/promises';
import path from 'node:path';
import { BrokenCatalog, type Catalog, type CatalogKind, type Stated } from './catalog.js';
import { readCwe } from './read-cwe.js';
import { readAsvs, readOscal } from './read-regulation.js';
import { readAttack, readCapec, readEmb3d } from './read-stix.js';

/** ATT&CK Enterprise, the largest public catalog, has about 50 MB. */
const MAXIMUM_BYTES = 256 * 2 ** 20;

const READERS: Readonly<Record<CatalogKind, (text: string, stated: Stated, file: string) => Catalog>> = {
  cwe: readCwe,
  capec: readCapec,
  attack: readAttack,
  emb3d: readEmb3d,
  asvs: readAsvs,
  oscal: readOscal,
};

/**
 * Parses a catalog.
 *
 * @param file its name
 * @throws BrokenCatalog if the text is not a valid catalog of this kind
 */
export const parseCatalog = (kind: CatalogKind, text: string, stated: Stated, file: string): Catalog =>
  READERS[kind](text, stated, path.basename(file));

/**
 * Reads a catalog from a file.
 *
 * @throws BrokenCatalog if the file is not a valid catalog of this kind, is not UTF-8 or is too large
 */
export async function readCatalog(kind: CatalogKind, file: string, stated: Stated): Promise<Catalog> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size > MAXIMUM_BYTES) throw new BrokenCatalog(`The file has ${size} bytes; the limit is ${MAXIMUM_BYTES}.`);
    const bytes = await handle.readFile();
    return parseCatalog(kind, decode(bytes), stated, file);
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
