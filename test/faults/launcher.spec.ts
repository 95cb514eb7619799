import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { folderInMemory } from '../support/memory.js';

const root = path.resolve(import.meta.dirname, '../..');

/** More often than a process may die while the service starts. */
const KILLS = 6;

describe('The launcher', () => {
  let folder: string;
  let launcher: ChildProcess;
  let output = '';
  let origin: string;

  const answers = async (url: string): Promise<boolean> =>
    fetch(url).then(
      (response) => response.ok,
      () => false,
    );

  /** The process of an app that the launcher has started; undefined while there is none. */
  const processOf = (app: string): number | undefined => {
    const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
    const children = lines
      .map((line) => line.trim().split(/\s+/))
      .filter(([, parent]) => Number(parent) === launcher.pid);
    const child = children.find((words) => words.some((word) => word.endsWith(`/apps/${app}/src/main.js`)));
    return child === undefined ? undefined : Number(child[0]);
  };

  const processOfDatabase = async (): Promise<number> =>
    Number((await readFile(path.join(folder, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]);

  beforeAll(async () => {
    folder = await folderInMemory(`merlon-test-${process.pid}-launcher-`);
    const [port, workerPort] = [await freePort(), await freePort()];
    origin = `http://127.0.0.1:${port}`;
    launcher = spawn(process.execPath, [path.join(root, 'dist/apps/launcher/src/main.js')], {
      cwd: root,
      env: { PATH: process.env['PATH'], DATA_DIR: folder, PORT: String(port), WORKER_PORT: String(workerPort) },
    });
    for (const stream of [launcher.stdout, launcher.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually(() => output.includes('Merlon is running.'), 80);
  }, 90_000);

  afterAll(async () => {
    if (launcher.exitCode === null) {
      launcher.kill('SIGTERM');
      await once(launcher, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it.each(['api', 'worker'])('does not pass the credentials of the database owner to the %s', async (app) => {
    const words = (await readFile(`/proc/${processOf(app)}/environ`, 'utf8')).split('\0');
    const environment = new Map(words.map((word) => [word.split('=')[0], word.slice(word.indexOf('=') + 1)]));
    expect(new URL(environment.get('DATABASE_URL') ?? '').username).toBe('merlon_app');
    expect(environment.has('DATABASE_OWNER_URL')).toBe(false);
    const password = (await readFile(path.join(folder, 'postgres/superuser-password'), 'utf8')).trim();
    expect(words.filter((word) => word.includes(password))).toEqual([]);
  });

  it('restarts the API each time it is killed, without restarting the worker or the database', async () => {
    const [worker, database] = [processOf('worker'), await processOfDatabase()];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await eventually(() => launcher.exitCode !== null || processOf('api') !== undefined, 30);
      expect(launcher.exitCode).toBeNull();
      process.kill(processOf('api') ?? 0, 'SIGKILL');
    }
    await eventually(() => answers(`${origin}/readyz`), 60);
    expect(launcher.exitCode).toBeNull();
    expect([processOf('worker'), await processOfDatabase()]).toEqual([worker, database]);
    expect(output.match(/The API ended \(signal SIGKILL\)/g)).toHaveLength(KILLS);
  }, 180_000);
});
