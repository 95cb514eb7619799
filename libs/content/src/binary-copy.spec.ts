import fc from 'fast-check';
import { textsOf } from '#files/rows.js';
import { copiedRows } from './binary-copy.js';

type Texts = readonly (string | null)[];

const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
};

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

/** What COPY writes of rows, with what stands before and behind them. */
function copyOf(rows: readonly Texts[]): Buffer {
  const value = (text: string | null): Buffer[] =>
    text === null ? [int32(-1)] : [int32(Buffer.byteLength(text)), Buffer.from(text)];
  return Buffer.concat([
    Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'),
    int32(0),
    int32(0),
    ...rows.flatMap((row) => [int16(row.length), ...row.flatMap(value)]),
    int16(-1),
  ]);
}

async function* cut(bytes: Buffer, places: readonly number[]): AsyncGenerator<Buffer, void, undefined> {
  const ends = [...new Set(places.map((place) => place % bytes.length))].toSorted((a, b) => a - b);
  for (const [n, end] of [...ends, bytes.length].entries()) yield bytes.subarray(ends[n - 1] ?? 0, end);
}

async function read(pieces: AsyncIterable<Buffer>): Promise<Texts[]> {
  const found: Texts[] = [];
  for await (const rows of copiedRows(pieces)) found.push(...textsOf(rows, 3));
  return found;
}

const aText = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer({ min: 0, max: 400_000 }).map((length) => 'ä'.repeat(length)),
);
const someRows = fc.array(fc.tuple(aText, aText, aText), { maxLength: 12 });
const someCuts = fc.array(fc.nat(4_000_000), { maxLength: 40 });

it('rows are the same however their bytes are cut into pieces', async () => {
  await fc.assert(
    fc.asyncProperty(someRows, someCuts, async (rows, cuts) => {
      expect(await read(cut(copyOf(rows), cuts))).toEqual(rows);
    }),
    { numRuns: 60, seed: 20_261_122 },
  );
});

it('bytes that end before the rows do are an error', async () => {
  const whole = copyOf([
    ['one', null, ''],
    ['two', 'three', 'four'],
  ]);
  for (let end = 0; end < whole.length; end += 1)
    await expect(read(cut(whole.subarray(0, end), []))).rejects.toThrow('stopped copying');
});
