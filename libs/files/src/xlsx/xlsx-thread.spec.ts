import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReaderThread } from '../reader-thread.js';
import type { SpreadsheetAnswer } from './spreadsheet-rows.js';
import { CELL_LENGTH, xlsxWriter } from './write-xlsx.js';

const ROWS = 3000;
/** The thread has memory for half of these rows, which take 94 MiB. */
const MEMORY_MEBIBYTES = 48;
/** Long enough to read all of them if the thread were not paused. */
const REST_MILLISECONDS = 2000;

test('the thread reads only on request, so a slow import does not fill its memory', async () => {
  async function* batches() {
    for (let n = 0; n < ROWS; n += 1) yield [[randomBytes(400).toString('hex').padEnd(CELL_LENGTH, 'x')]];
  }
  const sheet = { model: 'm', columns: [{ name: 'title', type: 'text' as const }], cells: new Map() };
  const bytes = new Uint8Array(await buffer(Readable.from(xlsxWriter.write(sheet, batches()))));
  const bounds = { seconds: 60, fileSeconds: 120, memoryMebibytes: MEMORY_MEBIBYTES };
  const { signal } = new AbortController();
  const thread = new ReaderThread('a.xlsx', 'xlsx/xlsx-thread', 'The spreadsheet', signal, bounds);
  try {
    await thread.ask({ file: 'a.xlsx', bytes }, null);
    let read = 0;
    for (let isFirst = true; ; isFirst = false) {
      const { rows } = await thread.ask<SpreadsheetAnswer>({ sheet: null }, null);
      if (!rows.length) break;
      read += rows.length;
      if (isFirst) await sleep(REST_MILLISECONDS);
    }
    expect(read).toBe(1 + ROWS);
  } finally {
    await thread.close();
  }
});
