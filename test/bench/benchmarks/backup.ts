// `npm run bench -- backup [10000 100000]`: rows a second and peak memory of `admin backup` and `admin restore`, with
// as many countermeasures and five times as many activities.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startDatabase } from '../deployment.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const sizes = positionals.length ? positionals.map(Number) : [1000, 10_000];
const root = path.resolve(import.meta.dirname, '../../..');
const LOOK_MILLISECONDS = 20;

/** Activities of a length as they usually have. */
const ACTIVITIES = `
  INSERT INTO activity (organization_id, name, text, data, icon, log_level)
  SELECT organization_id, 'UpdatedStandardTaskActivity', 'Ada changed the countermeasure number ' || n,
    jsonb_build_object('standard', 'T' || n, 'standard_desc', md5(n::text)), 'pencil', 'user'
  FROM generate_series(1, $1::int) n, (SELECT organization_id FROM user_account LIMIT 1) o`;

interface Ran {
  readonly seconds: number;
  /** Greatest resident memory, in bytes. */
  readonly memory: number;
  readonly answer: { readonly rows: number; readonly bytes?: number };
}

/** Greatest resident memory of a process so far; undefined once it has ended. */
function peakOf({ pid }: ChildProcess): number | undefined {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}

async function admin(env: NodeJS.ProcessEnv, ...words: string[]): Promise<Ran> {
  const start = performance.now();
  const child = spawn(process.execPath, ['dist/apps/admin/src/main.js', ...words], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const printed = text(child.stdout);
  let memory = 0;
  while (child.exitCode === null) {
    memory = peakOf(child) ?? memory;
    await Promise.race([ended, wait(LOOK_MILLISECONDS)]);
  }
  if (child.exitCode !== 0) throw new Error(`admin ${words[0]} exited with code ${child.exitCode}.`);
  return {
    seconds: (performance.now() - start) / 1000,
    memory,
    answer: JSON.parse(await printed) as Ran['answer'],
  };
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}\n`);
console.log('             rows   archive MiB   seconds   rows/s   memory MiB');
for (const size of sizes) {
  const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
  const database = await startDatabase(folder, size);
  try {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(ACTIVITIES, [size * 5]);
    await client.query('CREATE DATABASE restored TEMPLATE template0');
    await client.end();
    const file = path.join(folder, 'backup.tar');
    const restored = new URL(database.url);
    restored.pathname = '/restored';
    const written = await admin(database.env, 'backup', file);
    const read = await admin({ ...database.env, DATABASE_URL: restored.href }, 'restore', file);
    for (const [name, { seconds, memory, answer }] of Object.entries({ backup: written, restore: read }))
      console.log(
        [
          name.padEnd(8),
          String(answer.rows).padStart(8),
          mebibytes(written.answer.bytes ?? 0).padStart(13),
          seconds.toFixed(1).padStart(9),
          (answer.rows / seconds).toFixed(0).padStart(8),
          mebibytes(memory).padStart(12),
        ].join(' '),
      );
  } finally {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
