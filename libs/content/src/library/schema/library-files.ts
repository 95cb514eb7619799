import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of a library: its path below the folder, with `/`, and its text. */
export interface LibraryFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The folder of the starter library: `libs/content/library`, next to this file's sources, or next
 * to its compiled form in `dist`, where the build copies it.
 */
export const defaultLibraryFolder = (): string => fileURLToPath(new URL('../../../library', import.meta.url));

/**
 * Reads all files of a library, ordered by path; hidden ones are left out. Line breaks are made `\n`, since some Git
 * clients write others.
 *
 * @throws Error where the folder can't be read, or a file is no UTF-8
 */
export async function readLibraryFiles(folder: string): Promise<LibraryFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => !file.split('/').some((part) => part.startsWith('.')))
    .sort();
  return Promise.all(files.map(async (file) => ({ path: file, text: await readText(path.join(folder, file)) })));
}

/**
 * Grows when the same files are loaded into other rows than before: databases of older releases then load them again.
 */
const FORMAT = 2;

/** A fingerprint of all that goes into the database. `references`: what the content of other sources is known by. */
export const digestOf = (files: readonly LibraryFile[], references: string): string =>
  createHash('sha256')
    .update(JSON.stringify([FORMAT, references, files.map((file) => [file.path, file.text])]))
    .digest('hex');

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    throw new Error(`${file} is not UTF-8.`);
  }
}
