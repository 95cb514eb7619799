import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/**
 * The account that PostgreSQL's programs run as. They refuse to run as root, and initdb requires a user with a name.
 */
export interface Account {
  /** Words before the program on its command line. */
  readonly prefix: readonly string[];
  /** The user to switch to, if the process is root and can't use `prefix`. The data files belong to that user. */
  readonly become?: { readonly uid: number; readonly gid: number };
}

interface PasswdEntry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Chooses the account for a data folder.
 *
 * For root, and for a user without a name, a user namespace makes the files appear to belong to an ordinary user,
 * wherever the folder is. If the system does not allow namespaces, root switches to an ordinary user.
 *
 * @param owner user id that the data belongs to; undefined if there is no data yet
 * @returns the account
 * @throws Error with instructions, if no account can be used
 */
export function chooseAccount(owner: number | undefined): Account {
  const uid = process.getuid?.();
  if (uid === undefined) return { prefix: [] }; // Windows: the programs drop an administrator's rights themselves
  const users = passwdEntries();

  if (uid === 0 && owner !== undefined && owner !== 0) {
    return { prefix: [], become: users.find((user) => user.uid === owner) ?? { uid: owner, gid: owner } };
  }
  if (owner !== undefined && owner !== uid) {
    throw new Error(`The database's files belong to user id ${owner}, and this process runs as user id ${uid}.`);
  }
  if (uid !== 0 && hasName()) return { prefix: [] };

  const unprivilegedUser = users.find((user) => user.name === 'nobody') ?? users.find((user) => user.uid !== 0);
  if (unprivilegedUser !== undefined) {
    const prefix = ['unshare', '-U', `--map-user=${unprivilegedUser.uid}`, `--map-group=${unprivilegedUser.gid}`];
    if (process.platform === 'linux' && runs([...prefix, 'true'])) return { prefix };
    if (uid === 0) return { prefix: [], become: users.find((user) => user.name === 'postgres') ?? unprivilegedUser };
  }
  throw new Error(
    uid === 0
      ? 'PostgreSQL does not run as root, and /etc/passwd has no other user: add one, or set DATABASE_URL.'
      : `PostgreSQL does not run as user id ${uid}, which has no entry in /etc/passwd: ` +
          'add one, run as another user, or set DATABASE_URL.',
  );
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function runs(command: readonly string[]): boolean {
  const [program = '', ...args] = command;
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function passwdEntries(): PasswdEntry[] {
  let text: string;
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}
