import fc, { type Arbitrary } from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any Unicode character. For fast-check's own `binary`, each process would first create a list of a million. */
export const anyCharacter: Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((codePoint) => String.fromCodePoint(codePoint < SURROGATES.first ? codePoint : codePoint + SURROGATES.count));
