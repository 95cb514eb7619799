import { processorSeconds } from '#test/support/processor-time.js';

import { JSON_LIMITS, JsonTooLarge, parseBoundedJson } from './bounded-json.js';

const parse = (text: string): unknown => parseBoundedJson(Buffer.from(text));
const list = (count: number, entry = '0'): string => `[${Array.from({ length: count }, () => entry).join(',')}]`;
const object = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}" : 0`).join(', ')}}`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const { entries, keys, depth, values } = JSON_LIMITS;

/** The error that a text throws; undefined if it is parsed. */
const errorOf = (text: string): unknown => {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('JSON from a client', () => {
  it.each([
    '{}',
    '[]',
    ' [ ] ',
    '5',
    'null',
    '""',
    '"\\"[{,\\\\"',
    '\ufeff{"a":1}',
    '{"a":{"b":[1,2.5e3,-1,true,null,"x,]}"]},"c":[[],[{}]]}',
    '{"__proto__":1,"\\u0061":2}',
  ])('is parsed as by JSON.parse: %j', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text.replace('\ufeff', '')));
  });

  it.each(['', '{', '{"a":', '"\\', '{]', '[1,]', "{'a':1}", '[1}', '5,5', '/**/1'])(
    'is a syntax error: %j',
    (text) => {
      expect(errorOf(text)).toBeInstanceOf(SyntaxError);
    },
  );

  it('is rejected unless it is UTF-8', () => {
    expect(() => parseBoundedJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(TypeError);
  });

  it.each([
    list(entries),
    object(keys),
    nested(depth),
    `[${Array.from({ length: values / 8000 }, () => list(7999)).join(',')}]`.replace('[0,', '['),
    list(entries, '"[,]{,}\\"[[["'),
  ])('is accepted at each limit', (text) => {
    expect(errorOf(text)).toBeUndefined();
  });

  it.each([
    [list(entries + 1), undefined],
    [`{"a":1,"\\u0062":${list(entries + 1)}}`, 'b'],
    [`{"a":[{"c":${list(entries + 1, '{}')}}]}`, 'a'],
    [object(keys + 1), undefined],
    [`{"a":${object(keys + 1)}}`, 'a'],
    [nested(depth + 1), undefined],
    [`{"a":${nested(depth)}}`, 'a'],
    [`{"b":${list(9000)},"a":[${Array.from({ length: 25 }, () => list(8000)).join(',')}]}`, 'a'],
  ])('is rejected above each limit, with an error for the top-level key', (text, key) => {
    const error = errorOf(text);
    expect(error).toBeInstanceOf(JsonTooLarge);
    expect((error as JsonTooLarge).key).toBe(key);
  });

  it.each([
    ['escapes', `{"a":"${'\\u0041'.repeat(850_000)}"}`],
    ['line breaks', JSON.stringify({ a: '\n'.repeat(2_500_000) })],
    ['spaces', `[${' '.repeat(5_000_000)}]`],
    ['backslashes', `{"a":"${'\\'.repeat(5_000_000)}"}`],
    ['digits', `[${'1'.repeat(5_000_000)}]`],
    ['quotes', '"'.repeat(5_000_000)],
    ['commas', ','.repeat(5_000_000)],
    ['closing brackets', ']'.repeat(5_000_000)],
  ])('with five million bytes of %s is processed in less than a second', (_, text) => {
    const bytes = Buffer.from(text);
    const seconds = processorSeconds(() => {
      try {
        parseBoundedJson(bytes);
      } catch {
        // This test does not depend on whether it is valid JSON.
      }
    });
    expect(seconds).toBeLessThan(1);
  });
});
