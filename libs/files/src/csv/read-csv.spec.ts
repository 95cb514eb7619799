import { rowsOf as read } from './read-csv.js';

/** The rows of a text that arrives in chunks of a given length. */
async function rowsOf(text: string, length: number): Promise<string[][]> {
  async function* pieces() {
    for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
  }
  const rows: string[][] = [];
  for await (const row of read('a.csv', pieces())) rows.push(row);
  return rows;
}

describe('A CSV table', () => {
  it.each([
    [
      'with lines that end in CR LF',
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'with lines that end in LF',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'with lines that end in CR',
      'a,b\rc,d\r',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'without a line break at the end',
      'a,b\nc,',
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
    [
      'with quotes, commas and line breaks in quoted cells',
      '"a ""b""","c,d"\r\n"e\r\nf\ng",\r\n',
      [
        ['a "b"', 'c,d'],
        ['e\r\nf\ng', ''],
      ],
    ],
    ['with only an empty quoted cell in a row', 'a\n""', [['a'], ['']]],
    ['with an empty line', 'a\n\nb\n', [['a'], [''], ['b']]],
    ['with different line ends', 'a\nb\rc\r\nd', [['a'], ['b'], ['c'], ['d']]],
  ])('%s is read correctly in chunks of any size', async (_which, text, rows) => {
    for (const length of [1, 2, 3, 5, 100]) expect(await rowsOf(text, length)).toEqual(rows);
  });

  it.each([
    ['a,"b', 'is not closed'],
    ['a\n"b"c', 'a quoted cell is followed by text'],
    ['a\n"b" \r"c"', 'a quoted cell is followed by text'],
    ['a\nb"c"', 'an unquoted cell contains a quote'],
  ])('such as %j is rejected in chunks of any size', async (text, reason) => {
    for (const length of [1, 2, 3, 5, 100])
      await expect(rowsOf(text, length)).rejects.toThrow(
        expect.objectContaining({ errors: [expect.objectContaining({ details: expect.stringContaining(reason) })] }),
      );
  });
});
