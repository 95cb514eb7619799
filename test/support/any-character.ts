import fc, { type Arbitrary } from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any character of Unicode. Of fast-check's own, `binary`, each process would make a list of a million first. */
export const anyCharacter: Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((codePoint) => String.fromCodePoint(codePoint < SURROGATES.first ? codePoint : codePoint + SURROGATES.count));
