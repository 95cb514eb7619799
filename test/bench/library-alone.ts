import { setImmediate as turn } from 'node:timers/promises';
import { JSONParser } from '@streamparser/json';
import { parse as parseCsv } from 'csv-parse/sync';
import { stringify as stringifyCsv } from 'csv-stringify/sync';
import { type CellValue, streamXlsxRows, writeXlsxStream } from 'hucre/xlsx';
import { load as parseYaml } from 'js-yaml';
import { stringify as stringifyYaml } from 'yaml';
import type { FileFormat } from '#domain/exchange/job/content-models.js';

/** A row as JSON files have it. */
export type PlainRow = Readonly<Record<string, unknown>>;

/** Rows that are handed to a library at once, where it takes no stream. */
const BATCH = 250;

const cellsOf = (row: PlainRow): CellValue[] =>
  Object.values(row).map((value) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as CellValue),
  );

function* batches(rows: readonly PlainRow[]): Generator<readonly PlainRow[]> {
  for (let start = 0; start < rows.length; start += BATCH) yield rows.slice(start, start + BATCH);
}

const WRITE: Readonly<Record<FileFormat, (rows: readonly PlainRow[]) => Promise<void> | void>> = {
  csv: (rows) => {
    for (const some of batches(rows)) stringifyCsv(some.map(cellsOf));
  },
  json: (rows) => {
    for (const some of batches(rows)) JSON.stringify(some);
  },
  yaml: (rows) => {
    for (const some of batches(rows)) stringifyYaml(some);
  },
  xlsx: async (rows) => {
    for await (const _ of writeXlsxStream(rows.map(cellsOf), { name: 'rows' }));
  },
};

const READ: Readonly<Record<FileFormat, (file: Buffer) => Promise<void> | void>> = {
  csv: (file) => void parseCsv(file),
  json: (file) => {
    const parser = new JSONParser({ paths: ['$.rows.*'], keepStack: false });
    parser.onValue = () => undefined;
    parser.write(file);
  },
  yaml: (file) => {
    const rows = file.toString().split(/\n(?=- )/);
    for (const row of rows.slice(1)) parseYaml(row);
  },
  xlsx: async (file) => {
    for await (const _ of streamXlsxRows(file));
  },
};

async function secondsOf(work: () => Promise<void> | void): Promise<number> {
  await turn();
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Seconds in which the library of a format writes rows, with no database and no archive. */
export const writeAlone = (format: FileFormat, rows: readonly PlainRow[]): Promise<number> =>
  secondsOf(() => WRITE[format](rows));

/** Seconds in which the library of a format reads a file, with no checks and no database. */
export const readAlone = (format: FileFormat, file: Buffer): Promise<number> => secondsOf(() => READ[format](file));
