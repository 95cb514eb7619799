import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { ApiClient } from './client.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

/** The first migration reads the files of the folder. */
const MIGRATIONS = ['libs/domain/src/migrations/Migration*.ts', 'libs/domain/schema'];

const ADMIN_TOKEN = 't'.repeat(64);

/** Files of migrations that exist in the release and have been changed or removed since, one on each line. */
export async function editedMigrations(tag: string): Promise<string> {
  const { stdout } = await run('git', ['diff', '--name-status', '--diff-filter=a', tag, '--', ...MIGRATIONS], {
    cwd: root,
  });
  return stdout;
}

/** Copies a release to a folder, with the packages that it needs. */
export async function checkOut(tag: string, folder: string): Promise<Release> {
  await mkdir(folder);
  const archive = `${folder}.tar`;
  await run('git', ['archive', '--output', archive, tag], { cwd: root });
  await run('tar', ['-xf', archive, '-C', folder]);
  const locked = async (at: string): Promise<string> => {
    const { packages } = JSON.parse(await readFile(path.join(at, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, object>;
    };
    return JSON.stringify(Object.entries(packages).filter(([location]) => location.startsWith('node_modules/')));
  };
  if ((await locked(folder)) === (await locked(root)))
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  else
    await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
    });
  return new Release(folder);
}

/** The programs of one release, which run from their sources. */
export class Release {
  constructor(private readonly folder: string) {}

  static readonly current = new Release(root);

  /** Runs a command of `admin` and returns its result. */
  async admin(settings: NodeJS.ProcessEnv, ...words: string[]): Promise<Record<string, unknown>> {
    const { stdout } = await run(process.execPath, this.program('admin', ...words), {
      cwd: this.folder,
      env: this.environment(settings),
    });
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** Runs the work with a client of this release's API, as its first user. */
  async serve<Result>(settings: NodeJS.ProcessEnv, work: (api: ApiClient) => Promise<Result>): Promise<Result> {
    const port = await freePort();
    const child = spawn(process.execPath, this.program('api'), {
      cwd: this.folder,
      env: this.environment({ ...settings, PORT: String(port) }),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    try {
      const origin = `http://127.0.0.1:${port}`;
      await eventually(() => isReady(origin, child));
      return await work(new ApiClient(origin, () => undefined, { Authorization: `Token ${ADMIN_TOKEN}` }));
    } finally {
      child.kill();
      await ended;
    }
  }

  private program(name: string, ...words: string[]): string[] {
    const typescript = path.join(this.folder, 'test/support/jest/typescript.mjs');
    return ['--import', typescript, path.join(this.folder, `apps/${name}/src/main.ts`), ...words];
  }

  private environment(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    return { PATH, NODE_COMPILE_CACHE, SECRET_KEY: 'k'.repeat(40), LOG_LEVEL: 'error', ADMIN_TOKEN, ...settings };
  }
}

async function isReady(origin: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`The API ended with code ${child.exitCode}.`);
  return fetch(`${origin}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
