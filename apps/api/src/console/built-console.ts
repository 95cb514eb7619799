import { readdirSync, readFileSync, statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import path from 'node:path';

/** A file that never changes: its name contains a hash of its content. */
export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Its compressed forms by their name in `Accept-Encoding`, the smallest first. */
  readonly encodings: ReadonlyMap<string, Buffer>;
}

export interface BuiltConsole {
  readonly page: string;
  readonly assets: ReadonlyMap<string, Asset>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Where the build writes the console: in `dist`, also while tests run the API from its sources. */
const FOLDER = path.join(path.dirname(findPackageJSON(import.meta.url) ?? '.'), 'dist', 'apps', 'console');

function readAssets(folder: string): Map<string, Asset> {
  const names = readdirSync(folder);
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const type = TYPES[path.extname(name)];
    if (type === undefined) continue;
    const encodings = ENCODINGS.filter(([, ending]) => names.includes(name + ending)).map(
      ([encoding, ending]) => [encoding, readFileSync(path.join(folder, name + ending))] as const,
    );
    assets.set(name, { type, bytes: readFileSync(path.join(folder, name)), encodings: new Map(encodings) });
  }
  return assets;
}

/** Returns a function that reads the console, and reads it again when it has been built again. */
export function consoleReader(folder = FOLDER): () => BuiltConsole {
  let read: (BuiltConsole & { readonly builtAt: number }) | undefined;
  return () => {
    const file = path.join(folder, 'index.html');
    const builtAt = statSync(file).mtimeMs;
    if (read?.builtAt !== builtAt)
      read = { builtAt, page: readFileSync(file, 'utf8'), assets: readAssets(path.join(folder, 'assets')) };
    return read;
  };
}
