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

/** Where root keeps a copy of the programs that every user can enter. */
const SHARED_COPIES = '/var/lib/merlon';

/** The programs with the account that they run as. */
export class Programs {
  private readonly root: string;

  constructor(
    binaries: PostgresBinaries,
    private readonly account: Account,
    /** The folder that holds all folders that the programs work in. */
    private readonly directory: string,
  ) {
    const { become } = account;
    this.root = become === undefined || canEnter(become, binaries.root) ? binaries.root : sharedCopy(binaries);
  }

  /**
   * Starts a program in a session of its own, so that Ctrl-C in our terminal does not reach it.
   *
   * @param program which one
   * @param folder name of the folder that it works in; it must belong to the account
   * @param words its command line
   * @param output file descriptor that its output goes to: a pipe would break when we end before it
   * @param env environment variables besides the few that it needs
   * @returns the child
   */
  start(
    program: 'initdb' | 'postgres' | 'pg_ctl',
    folder: string,
    words: readonly string[],
    output: number,
    env: Record<string, string> = {},
  ): ChildProcess {
    const command = [...this.account.prefix, programPath(this.root, program), ...words];
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
   * How a program reaches the folder that it works in.
   *
   * @param folder name of the folder
   * @returns a path for its command line
   */
  pathOf(folder: string): string {
    return this.usesDescriptor ? '/proc/self/fd/3' : path.join(this.directory, folder);
  }

  /**
   * Makes files belong to the account, when it is not our own.
   *
   * @param names paths below the directory, with all that is in them
   */
  own(...names: readonly string[]): void {
    const { become } = this.account;
    if (become === undefined) return;
    for (const name of names) chownAll(path.join(this.directory, name), become.uid, become.gid);
  }

  /**
   * The account may be unable to walk to the folder (a mode 700 folder of root above it). It needs no walk when it
   * inherits the open folder as descriptor 3.
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

/** 60 MB, copied once for each version. The folder is root's alone, so no one can slip in another program. */
function sharedCopy(binaries: PostgresBinaries): string {
  const copy = path.join(SHARED_COPIES, `postgresql-${binaries.version}`);
  mkdirSync(SHARED_COPIES, { recursive: true, mode: 0o755 });
  const { uid, mode } = statSync(SHARED_COPIES);
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${SHARED_COPIES} must belong to root alone.`);
  if (existsSync(copy)) return copy;

  const draft = `${copy}.${randomUUID()}`;
  cpSync(binaries.root, draft, { recursive: true, verbatimSymlinks: true });
  chmodSync(draft, 0o755);
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error; // else another process was faster
  }
  return copy;
}

function chownAll(file: string, uid: number, gid: number): void {
  const stat = lstatSync(file);
  if (stat.uid !== uid) chownSync(file, uid, gid);
  if (!stat.isDirectory()) return;
  for (const name of readdirSync(file)) chownAll(path.join(file, name), uid, gid);
}
