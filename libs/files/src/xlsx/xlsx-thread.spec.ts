import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import JSZip from 'jszip';
import { ReaderThread, type ThreadBounds } from '../reader-thread.js';
import type { SpreadsheetAnswer } from './spreadsheet-rows.js';
import { CELL_LENGTH, xlsxWriter } from './write-xlsx.js';

const ROWS = 3000;
/** The thread has memory for half of these rows, which take 94 MiB. */
const MEMORY_MEBIBYTES = 48;

/** Waits until all threads of this process rest. One that is not paused works until it has read everything. */
async function untilIdle(): Promise<void> {
  for (let calm = 0; calm < 3;) {
    const before = process.cpuUsage();
    await sleep(200);
    const { user, system } = process.cpuUsage(before);
    calm = user + system < 20_000 ? calm + 1 : 0;
  }
}

const threadWith = (bounds: ThreadBounds): ReaderThread =>
  new ReaderThread('a.xlsx', 'xlsx/xlsx-thread', 'The spreadsheet', new AbortController().signal, bounds);

test('the thread reads only on request, so a slow import does not fill its memory', async () => {
  async function* batches() {
    for (let n = 0; n < ROWS; n += 1) yield [[randomBytes(400).toString('hex').padEnd(CELL_LENGTH, 'x')]];
  }
  const sheet = { model: 'm', columns: [{ name: 'title', type: 'text' as const }], cells: new Map() };
  const bytes = new Uint8Array(await buffer(Readable.from(xlsxWriter.write(sheet, batches()))));
  const thread = threadWith({ seconds: 60, fileSeconds: 120, memoryMebibytes: MEMORY_MEBIBYTES });
  try {
    await thread.ask({ file: 'a.xlsx', bytes }, null);
    let read = 0;
    for (let isFirst = true; ; isFirst = false) {
      const { rows } = await thread.ask<SpreadsheetAnswer>({ sheet: null }, null);
      if (!rows.length) break;
      read += rows.length;
      if (isFirst) await untilIdle();
    }
    expect(read).toBe(1 + ROWS);
  } finally {
    await thread.close();
  }
});

/** A workbook with one sheet of blank rows, which compress well. */
async function blankRows(rows: number): Promise<Uint8Array<ArrayBuffer>> {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const link = (type: string, target: string): string =>
    `<Relationships><Relationship Id="rId1" Type="${office}/${type}" Target="${target}"/></Relationships>`;
  const archive = new JSZip()
    .file('[Content_Types].xml', '<Types/>')
    .file('_rels/.rels', link('officeDocument', 'xl/workbook.xml'))
    .file('xl/workbook.xml', '<workbook><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>')
    .file('xl/_rels/workbook.xml.rels', link('worksheet', 'worksheets/sheet1.xml'))
    .file('xl/worksheets/sheet1.xml', `<worksheet><sheetData>${'<row/>'.repeat(rows)}</sheetData></worksheet>`);
  return new Uint8Array(await archive.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE' }));
}

test('reading blank rows takes time in proportion to their number', async () => {
  const secondsFor = async (rows: number): Promise<number> => {
    const thread = threadWith({ seconds: 60, fileSeconds: 120, memoryMebibytes: 384 });
    try {
      await thread.ask({ file: 'a.xlsx', bytes: await blankRows(rows) }, null);
      const startedAt = performance.now();
      const next = (): Promise<SpreadsheetAnswer> => thread.ask({ sheet: null }, null);
      let read = 0;
      for (let answer = await next(); answer.rows.length; answer = await next()) read += answer.rows.length;
      expect(read).toBe(rows);
      return (performance.now() - startedAt) / 1000;
    } finally {
      await thread.close();
    }
  };
  const [few, many] = [await secondsFor(100_000), await secondsFor(800_000)];
  expect(many).toBeLessThan(Math.max(few, 0.5) * 8 * 3);
}, 300_000);
