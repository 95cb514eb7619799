// `npm run bench:exports [-- format …] [--large] [--rounds N]`: rows a second and peak memory of an export in each
// format and, in the same run, of the least that could do it: PostgreSQL's own COPY, and zlib over its bytes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createDeflateRaw } from 'node:zlib';
import { Client } from 'pg';
import { FILE_FORMATS, type FileFormat } from '#domain/exchange/job/content-models.js';
import { organizationReading } from '#content/reading.js';
import { describe } from '#content/models/models.js';
import { NODE_OPTIONS } from '#platform/node-options.js';
import { everyRow } from '#query/every-row.js';
import { literalText } from './literal-text.ts';
import type { Measured } from './export-run.ts';
import { type LargeDatabase, startDatabase } from './installation.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { large: { type: 'boolean', default: false }, rounds: { type: 'string', default: '3' } },
});
const TARGETS: Readonly<Record<FileFormat, number>> = { csv: 30_000, json: 30_000, yaml: 10_000, xlsx: 10_000 };
const MEMORY_TARGET = 250;
const size = values.large ? 100_000 : 10_000;
const formats = FILE_FORMATS.filter((format) => positionals.length === 0 || positionals.includes(format));
const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));

async function measure(database: LargeDatabase, format: FileFormat): Promise<Measured> {
  const child = fork(path.join(import.meta.dirname, 'export-run.ts'), {
    env: {
      ...database.env,
      ORGANIZATION: String(database.organization),
      FORMAT: format,
      FILE: path.join(folder, 'export.zip'),
    },
    execArgv: [...NODE_OPTIONS],
  });
  const [measured] = (await once(child, 'message')) as [Measured];
  await once(child, 'exit');
  return measured;
}

/** The statement of the countermeasures' rows. */
function statementOf(organization: number): string {
  const { rows } = describe('standard');
  return literalText(everyRow(rows, organizationReading(organization, new Set())));
}

/** Seconds of COPY to a file of the server, and of zlib over that file. */
async function limit(database: LargeDatabase): Promise<{ copy: number; deflate: number; bytes: number }> {
  const plain = path.join(folder, 'postgres', 'copy.csv');
  const client = new Client({ connectionString: database.url });
  await client.connect();
  // As the export does; COPY may even use several processes.
  await client.query('SET enable_seqscan = off');
  const start = performance.now();
  await client.query(`COPY (${statementOf(database.organization)}) TO '${plain}' (FORMAT csv, HEADER)`);
  const copied = performance.now();
  await client.end();
  await pipeline(createReadStream(plain), createDeflateRaw(), createWriteStream(path.join(folder, 'copy.deflated')));
  const deflated = performance.now();
  return { copy: (copied - start) / 1000, deflate: (deflated - copied) / 1000, bytes: statSync(plain).size };
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);

const database = await startDatabase(folder, size);
try {
  console.log(`${size} countermeasures, median of ${values.rounds} rounds`);
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}\n`);
  const least = await limit(database);
  const { copy, deflate } = least;
  const limitRate = size / (copy + deflate);
  console.log(
    `COPY: ${mebibytes(least.bytes)} MiB in ${copy.toFixed(2)} s, deflate ${deflate.toFixed(2)} s: ` +
      `${limitRate.toFixed(0)} rows/s one after the other, ${(size / Math.max(copy, deflate)).toFixed(0)} at once\n`,
  );
  console.log('format   rows/s   of limit   target   archive MiB   memory MiB   of that before   target');
  for (const format of formats) {
    const rounds: Measured[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) rounds.push(await measure(database, format));
    const [first] = rounds;
    const rate = median(rounds.map(({ rows, seconds }) => rows / seconds));
    console.log(
      [
        format.padEnd(6),
        rate.toFixed(0).padStart(8),
        (rate / limitRate).toFixed(2).padStart(10),
        String(TARGETS[format]).padStart(8),
        mebibytes(first?.bytes ?? 0).padStart(13),
        mebibytes(Math.max(...rounds.map(({ memory }) => memory))).padStart(12),
        mebibytes(first?.memoryBefore ?? 0).padStart(16),
        `< ${MEMORY_TARGET}`.padStart(8),
      ].join(' '),
    );
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
