import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Programs } from './programs.js';
import { type Credentials, OWNER, SUPERUSER } from './roles.js';

/** The file with the super-user's password. */
const PASSWORD_FILE = 'superuser-password';

/** The same in a folder from before the owner was a role of its own: there, the super-user owns the tables. */
const FORMER_PASSWORD_FILE = 'password';

/** The settings file below `data`, rewritten at every start. */
const SETTINGS_FILE = 'merlon.conf';

/**
 * Locales for character classes, which come from the operating system; the first available one is used. Sorting does
 * not depend on it.
 */
const CHARACTER_TYPES = ['C.UTF-8', 'en_US.UTF-8', 'C'];

/**
 * Checks that this release's PostgreSQL can read the data.
 *
 * @param directory the folder that contains `data`
 * @param major major version of the installed PostgreSQL
 * @returns whether there is any data
 * @throws Error with instructions for an upgrade
 */
export async function checkVersion(directory: string, major: string): Promise<boolean> {
  const data = path.join(directory, 'data');
  const version = await readText(path.join(data, 'PG_VERSION'));
  if (version === major) return true;
  if (version !== undefined) {
    throw new Error(
      `${data} was written by PostgreSQL ${version}, and this release contains PostgreSQL ${major}. Run "npm run -s ` +
        'admin -- backup FILE" with the old release, move the folder away, then run "npm run -s admin ' +
        '-- restore FILE" with this release.',
    );
  }
  if (await exists(data)) throw new Error(`${data} is not a PostgreSQL data folder. Move it away.`);
  return false;
}

/**
 * Creates a new database cluster atomically.
 *
 * @param directory the folder that will contain `data` and the password
 * @param programs runs initdb
 * @param sync false skips the flush to disk, for temporary data
 * @throws Error with the output of initdb
 */
export async function createCluster(directory: string, programs: Programs, sync: boolean): Promise<void> {
  await removeDrafts(directory);
  const password = (await readText(path.join(directory, PASSWORD_FILE))) ?? randomBytes(24).toString('base64url');
  await writePassword(directory, password);

  let failure = '';
  for (const characterType of CHARACTER_TYPES) {
    const draft = `draft-${randomBytes(6).toString('hex')}`;
    await mkdir(path.join(directory, draft, 'data'), { recursive: true, mode: 0o700 });
    await writeFile(path.join(directory, draft, 'password'), `${password}\n`, { mode: 0o600 });
    programs.own(draft);
    const args = [
      `--pgdata=${programs.pathOf(draft)}/data`,
      `--pwfile=${programs.pathOf(draft)}/password`,
      `--username=${SUPERUSER}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      `--lc-ctype=${characterType}`,
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(sync ? [] : ['--no-sync']),
    ];
    const output = path.join(directory, draft, 'initdb.log');
    const status = await run(programs, draft, args, output);
    if (status === 0) {
      await appendFile(path.join(directory, draft, 'data', 'postgresql.conf'), `\ninclude '${SETTINGS_FILE}'\n`);
      await rename(path.join(directory, draft, 'data'), path.join(directory, 'data'));
      await removeDrafts(directory);
      return;
    }
    failure = ((await readText(output)) ?? '').split('\n').slice(-12).join('\n');
    await removeDrafts(directory);
    if (!/locale/i.test(failure)) break;
  }
  throw new Error(`initdb could not create the database in ${directory}:\n${failure}`);
}

/**
 * Writes the server's settings.
 *
 * @param directory the folder that contains `data`
 * @param programs sets the owner of the file
 * @param settings names and values
 */
export async function writeSettings(
  directory: string,
  programs: Programs,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
  await writeFile(path.join(directory, 'data', SETTINGS_FILE), lines.join(''), { mode: 0o600 });
  programs.own(path.join('data', SETTINGS_FILE));
}

/**
 * Reads the super-user's name and password.
 *
 * @param directory the folder that contains the password
 * @returns the credentials
 * @throws Error if the file is missing: the password is stored nowhere else
 */
export async function readSuperuser(directory: string): Promise<Credentials> {
  for (const { file, name } of [
    { file: PASSWORD_FILE, name: SUPERUSER },
    { file: FORMER_PASSWORD_FILE, name: OWNER },
  ]) {
    const password = await readText(path.join(directory, file));
    if (password !== undefined && password !== '') return { name, password };
  }
  throw new Error(
    `${path.join(directory, PASSWORD_FILE)} is missing; without it, the data next to it cannot be opened.`,
  );
}

async function writePassword(directory: string, password: string): Promise<void> {
  const draft = path.join(directory, 'draft-password');
  await writeFile(draft, `${password}\n`, { mode: 0o600 });
  await rename(draft, path.join(directory, PASSWORD_FILE));
}

async function run(
  programs: Programs,
  folder: string,
  args: readonly string[],
  output: string,
): Promise<number | null> {
  const file = await open(output, 'w', 0o600);
  try {
    const child = programs.start('initdb', folder, args, file.fd);
    const [status] = (await once(child, 'exit')) as [number | null];
    return status;
  } finally {
    await file.close();
  }
}

async function removeDrafts(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith('draft-')) await rm(path.join(directory, name), { recursive: true, force: true });
  }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
