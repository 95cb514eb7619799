import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
} from 'node:fs';
import { renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

import type { Account } from './account.js';
import { programPath } from './binaries.js';
import type { PostgresBinaries } from './binaries.js';

/** Folder for root's copies of the programs, which every user can access. */
const SHARED_COPIES = '/var/lib/merlon';

/** Runs the programs as their account. */
export class Programs {
  private readonly root: string;

  constructor(
    binaries: PostgresBinaries,
    private readonly account: Account,
    /** The parent of all folders that the programs work in. */
    private readonly directory: string,
  ) {
    const { become } = account;
    this.root = become === undefined || canEnter(become, binaries.root) ? binaries.root : sharedCopy(binaries);
  }

  /**
   * Starts a program in a session of its own, so that Ctrl-C in the terminal does not reach it.
   *
   * @param program the name of the program
   * @param folder name of its working folder, which must belong to the account
   * @param args its arguments
   * @param output file descriptor for its output: a pipe would break if this process ends first
   * @param env additional environment variables
   * @returns the child process
   */
  start(
    program: 'initdb' | 'postgres' | 'pg_ctl',
    folder: string,
    args: readonly string[],
    output: number,
    env: Record<string, string> = {},
  ): ChildProcess {
    const command = [...this.account.prefix, programPath(this.root, program), ...args];
    const stdio: StdioOptions = ['ignore', output, output];
    const view = this.usesDescriptor ? openSync(path.join(this.directory, folder), 'r') : undefined;
    if (view !== undefined) stdio.push(view);
    try {
      return spawn(command[0] ?? '', command.slice(1), {
        detached: true,
        windowsHide: true,
        cwd: this.account.become === undefined ? this.directory : '/',
        stdio,
        env: { ...neededEnvironment(), ...env },
        ...this.account.become,
      });
    } finally {
      if (view !== undefined) closeSync(view);
    }
  }

  /**
   * The path by which a program accesses its working folder.
   *
   * @param folder name of the folder
   * @returns a path for its command line
   */
  pathOf(folder: string): string {
    return this.usesDescriptor ? '/proc/self/fd/3' : path.join(this.directory, folder);
  }

  /**
   * Transfers files to the account, if it is not the current user.
   *
   * @param names paths below the directory, including everything in them
   */
  own(...names: readonly string[]): void {
    const { become } = this.account;
    if (become === undefined) return;
    for (const name of names) chownAll(path.join(this.directory, name), become.uid, become.gid);
  }

  /**
   * The account may lack access to the folder's parents (such as a folder of root with mode 700). The programs then use
   * the open folder, which they inherit as descriptor 3.
   */
  private get usesDescriptor(): boolean {
    return this.account.become !== undefined && process.platform === 'linux';
  }
}

function neededEnvironment(): Record<string, string> {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];
  const entries = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...(Object.fromEntries(entries) as Record<string, string>), LC_ALL: 'C' };
}

function canEnter(user: { uid: number; gid: number }, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** Copies 60 MB, once for each version. Only root may write to the folder, so that no one can replace a program. */
function sharedCopy(binaries: PostgresBinaries): string {
  const copy = path.join(SHARED_COPIES, `postgresql-${binaries.version}`);
  mkdirSync(SHARED_COPIES, { recursive: true, mode: 0o755 });
  const { uid, mode } = statSync(SHARED_COPIES);
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${SHARED_COPIES} must be owned and writable by root only.`);
  if (existsSync(copy)) return copy;

  const draft = `${copy}.${randomUUID()}`;
  cpSync(binaries.root, draft, { recursive: true, verbatimSymlinks: true });
  chmodSync(draft, 0o755);
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error; // another process was faster
  }
  return copy;
}

function chownAll(file: string, uid: number, gid: number): void {
  const stat = lstatSync(file);
  if (stat.uid !== uid) chownSync(file, uid, gid);
  if (!stat.isDirectory()) return;
  for (const name of readdirSync(file)) chownAll(path.join(file, name), uid, gid);
}
