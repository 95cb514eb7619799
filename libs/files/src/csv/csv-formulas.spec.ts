import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import JSZip from 'jszip';
import { readCsv } from './read-csv.js';
import { csvWriter } from './write-csv.js';
import type { FormatWriter } from '../format-writer.js';
import { xlsxWriter } from '../xlsx/write-xlsx.js';

/** A file of one column of texts. */
function file(writer: FormatWriter, texts: readonly string[]): Promise<Buffer> {
  async function* batches() {
    yield texts.map((text) => [text]);
  }
  const sheet = { model: 'standard', columns: [{ name: 'title', type: 'text' as const }], cells: new Map() };
  return buffer(Readable.from(writer.write(sheet, batches())));
}

const written = async (...texts: readonly string[]): Promise<string> => (await file(csvWriter, texts)).toString();

/** The texts that an import reads from such a file. */
async function read(text: string): Promise<unknown[]> {
  async function* content() {
    yield Buffer.from(text);
  }
  const columns = ['title', 'tags'].map((name) => ({ name }));
  const { signal } = new AbortController();
  const titles: unknown[] = [];
  const toRead = { name: 'standard.csv', model: 'standard', columns, content: content(), signal };
  for await (const { values } of readCsv(toRead, () => undefined)) titles.push(values.title);
  return titles;
}

const ACTIVE = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '\ttext',
  '\ntext',
  '\rtext',
  ' =1+1',
  '\u00a0\u3000 ＝1+1',
  ' \n\t@SUM(A1)',
];

describe('A text in a CSV file', () => {
  it.each(ACTIVE)('that a spreadsheet could execute (%j) is escaped, and unescaped by an import', async (text) => {
    const csv = await written(text);
    expect(csv.slice('title\r\n'.length)).toMatch(/^"?'/);
    expect(await read(csv)).toEqual([text]);
  });

  it.each(["'", "'text", "'=1+1", "''x"])(
    'that starts with the escape character (%j) is escaped, and unescaped by an import',
    async (text) => {
      const csv = await written(text);
      expect(csv).toBe(`title\r\n'${text}\r\n`);
      expect(await read(csv)).toEqual([text]);
    },
  );

  it('that contains a semicolon or tab, which some locales treat as separators, is quoted', async () => {
    const texts = ['a;=1+1', 'a\t=1+1'];
    expect(await written(...texts)).toBe('title\r\n"a;=1+1"\r\n"a\t=1+1"\r\n');
    expect(await read(await written(...texts))).toEqual(texts);
  });

  it('that no spreadsheet executes is not changed', async () => {
    expect(await written('a=b', 'x - y', '5 @ 3', '(=1)')).toBe('title\r\na=b\r\nx - y\r\n5 @ 3\r\n(=1)\r\n');
  });
});

it('A negative number in a CSV file is not escaped', async () => {
  async function* batches() {
    yield [[-1]];
  }
  const sheet = { model: 'standard', columns: [{ name: 'priority', type: 'number' as const }], cells: new Map() };
  const csv = await buffer(Readable.from(csvWriter.write(sheet, batches())));
  expect(csv.toString()).toBe('priority\r\n-1\r\n');
});

it('A spreadsheet contains texts as text cells and no formulas', async () => {
  const book = await JSZip.loadAsync(await file(xlsxWriter, ACTIVE));
  const xml = await book.file(/sheet1\.xml$/)[0]?.async('string');
  expect(xml?.match(/t="inlineStr"/g)).toHaveLength(ACTIVE.length + 1);
  expect(xml).not.toMatch(/<f[ >/]/);
});
