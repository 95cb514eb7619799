import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of a library: its path below the folder, with `/`, and its text. */
export interface LibraryFile {
  readonly path: string;
  readonly text: string;
}

/** The folder of the starter library: `libs/content/library`, or the copy of it that the build makes in `dist`. */
export const defaultLibraryFolder = (): string => fileURLToPath(new URL('../../../library', import.meta.url));

/**
 * Reads all files of a library, ordered by path, except hidden ones. Line breaks become `
 * `, since some Git clients write others.
 *
 * @throws Error if the folder can't be read or a file is not UTF-8
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

/** Increase it when the same files are loaded into different rows than before: databases then load them again. */
const FORMAT = 2;

/** A digest of everything that is loaded into the database. `references` is the digest of the public tables. */
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
