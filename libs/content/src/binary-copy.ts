import type { Rows } from '#files/rows.js';

/** Signature, flags, and the length of an extension that there is none of. */
const HEADER_BYTES = 19;

/** So many bytes are worked on at once, or all of a row. */
const PIECE_BYTES = 256 * 1024;

/**
 * What was found in some bytes: whole rows, where the first one starts that is not whole, and how many bytes it needs.
 */
interface Found {
  readonly places: number[];
  readonly end: number;
  readonly needed: number;
}

/** Finds the whole rows in bytes that start with one. Behind the last one is a number of columns below 0. */
function findRows(bytes: Buffer, start: number): Found {
  const places: number[] = [];
  let end = start;
  for (;;) {
    const whole = places.length;
    let at = end + 2;
    if (at > bytes.length) return { places, end, needed: 2 };
    const columns = bytes.readInt16BE(end);
    if (columns < 0) return { places, end, needed: 0 };
    for (let n = 0; n < columns && at <= bytes.length; n += 1) {
      at += 4;
      if (at > bytes.length) break;
      const length = bytes.readInt32BE(at - 4);
      if (length < 0) places.push(-1, -1);
      else places.push(at, (at += length));
    }
    if (at > bytes.length) {
      places.length = whole;
      return { places, end, needed: at - end };
    }
    end = at;
  }
}

/**
 * The rows in what `COPY … TO STDOUT (FORMAT binary)` writes of texts, piece by piece as they come: section "Binary
 * Format" of PostgreSQL's documentation of COPY. Throws where the bytes end before the rows do.
 */
export async function* copiedRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<Rows, void, undefined> {
  let held: Buffer[] = [];
  let size = 0;
  let start = HEADER_BYTES;
  let needed = HEADER_BYTES;
  const take = (): Rows => {
    const bytes = Buffer.concat(held);
    const { places, end, needed: next } = findRows(bytes, start);
    held = [bytes.subarray(end)];
    size = bytes.length - end;
    start = 0;
    needed = next;
    return { bytes, places };
  };
  for await (const piece of pieces) {
    held.push(piece);
    size += piece.length;
    // A large row comes in many pieces, which are joined once.
    if (size >= Math.max(needed, PIECE_BYTES)) yield take();
  }
  yield take();
  if (needed) throw new Error('The database stopped copying.');
}
