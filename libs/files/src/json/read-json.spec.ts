import { readJson } from './read-json.js';

const { signal } = new AbortController();

/** The rows of a text that arrives in chunks of a given length. */
async function rowsOf(text: string, length: number): Promise<unknown[]> {
  const bytes = Buffer.from(text);
  async function* content() {
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
  }
  const rows: unknown[] = [];
  const file = { name: 'a.json', model: 'standard', columns: COLUMNS, content: content(), signal };
  for await (const { values } of readJson(file, () => undefined)) rows.push(values);
  return rows;
}

const COLUMNS = ['title', 'text', 'tags'].map((name) => ({ name }));

it('rows are read correctly in chunks of any size', async () => {
  const rows = [
    { title: '\ufeffx', text: 'a \ufeff "b" \\ 😀\u2028', tags: ['\ufeff', { rows: [1] }, [[]]] },
    { text: '}],{[:', title: 'ä' },
    { title: null, tags: [] },
  ];
  const text = JSON.stringify({ model: 'standard', extra: { rows: [{ title: 'no' }] }, rows });
  const escaped = text.replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  for (const length of [1, 2, 3, 7, 1000])
    for (const written of [text, escaped]) expect(await rowsOf(written, length)).toEqual(rows);
});
