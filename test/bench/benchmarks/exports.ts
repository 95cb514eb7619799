// `npm run bench -- exports [format …] [--large] [--rounds N]`: rows a second and peak memory of an export in each
// format and, in the same run, of the least that could do it: PostgreSQL's own COPY into gzip, which compresses while
// rows are read; and of the library alone that writes the format, on the same rows.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import JSZip from 'jszip';
import { Client } from 'pg';
import { FILE_FORMATS, type FileFormat } from '#domain/exchange/job/content-models.js';
import { organizationContext } from '#content/organization-context.js';
import { describe } from '#content/models/models.js';
import { NODE_OPTIONS } from '#platform/node-options.js';
import { selectEveryRow } from '#query/every-row.js';
import { type PlainRow, writeAlone } from '../library-alone.ts';
import { literalText } from '../literal-text.ts';
import { FORMATS } from '#files/formats.js';
import type { Measured } from '../export-run.ts';
import { type LargeDatabase, startDatabase } from '../deployment.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { large: { type: 'boolean', default: false }, rounds: { type: 'string', default: '5' } },
});
const TARGETS: Readonly<Record<FileFormat, number>> = { csv: 10_000, json: 10_000, yaml: 4_000, xlsx: 4_000 };
const MEMORY_TARGET = 300;
const size = values.large ? 100_000 : 10_000;
const formats = FILE_FORMATS.filter((format) => positionals.length === 0 || positionals.includes(format));
const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));

async function measure(database: LargeDatabase, format: FileFormat): Promise<Measured> {
  const child = fork(path.join(import.meta.dirname, '../export-run.ts'), {
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
  return literalText(selectEveryRow(rows, organizationContext(organization, new Set())));
}

/** Seconds of COPY into gzip, as hard as exports compress: reading and compressing overlap. */
async function secondsOfCopy(database: LargeDatabase): Promise<number> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  // As the export does; COPY may even use several processes.
  await client.query('SET enable_seqscan = off');
  const start = performance.now();
  const level = FORMATS.csv.writer.compression;
  await client.query(
    `COPY (${statementOf(database.organization)}) TO PROGRAM 'gzip -${level} > /dev/null' (FORMAT csv)`,
  );
  const seconds = (performance.now() - start) / 1000;
  await client.end();
  return seconds;
}

/** The rows that an export has, for the libraries. */
async function rowsOf(database: LargeDatabase): Promise<readonly PlainRow[]> {
  await measure(database, 'json');
  const archive = await JSZip.loadAsync(await readFile(path.join(folder, 'export.zip')));
  const text = await archive.file('standard.json')?.async('string');
  return (JSON.parse(text ?? '') as { rows: PlainRow[] }).rows;
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);

const database = await startDatabase(folder, size);
try {
  console.log(`${size} countermeasures, median of ${values.rounds} rounds`);
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}\n`);
  const rows = await rowsOf(database);
  const copyRates: number[] = [];
  const rounds = Array.from({ length: Number(values.rounds) }, (_, n) => n);
  for (const _ of rounds) copyRates.push(size / (await secondsOfCopy(database)));
  const copyRate = median(copyRates);
  console.log(`COPY into gzip: ${copyRate.toFixed(0)} rows/s\n`);
  console.log('format   rows/s   target   of COPY    library rows/s   of library   archive MiB   memory MiB   target');
  for (const format of formats) {
    const measured: Measured[] = [];
    const alone: number[] = [];
    for (const _ of rounds) {
      measured.push(await measure(database, format));
      alone.push(rows.length / (await writeAlone(format, rows)));
    }
    const rate = median(measured.map(({ rows, seconds }) => rows / seconds));
    console.log(
      [
        format.padEnd(6),
        rate.toFixed(0).padStart(8),
        String(TARGETS[format]).padStart(8),
        (rate / copyRate).toFixed(2).padStart(10),
        median(alone).toFixed(0).padStart(16),
        (rate / median(alone)).toFixed(2).padStart(12),
        mebibytes(measured[0]?.bytes ?? 0).padStart(13),
        mebibytes(Math.max(...measured.map(({ memory }) => memory))).padStart(12),
        `< ${MEMORY_TARGET}`.padStart(8),
      ].join(' '),
    );
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
