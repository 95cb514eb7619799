import fc, { type Arbitrary } from 'fast-check';

import { anyCharacter } from '../support/any-character.js';
import type { Json } from '../support/client.js';
import { dereferenced, type JsonSchema, type OpenApiDocument } from '../support/document.js';

/** Texts that have broken programs before. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\t\n',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff',
  '\u202e\u200b\ufeff',
  'e\u0301',
  '😀'.repeat(60),
  'x'.repeat(501),
  "' OR '1'='1",
  '"; DROP TABLE weakness; --',
  '$1',
  '%',
  '%%',
  '%00',
  '%ff',
  '_',
  '\\',
  '\\x00',
  "E'\\''",
  '../../etc/passwd',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '](javascript:alert(1))',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x1f',
  '٣',
  '9'.repeat(40),
  `-${'9'.repeat(40)}`,
  '2147483648',
  '-9223372036854775809',
  'true',
  ',',
  ',,1,',
  'T1,T2',
  ';',
  '[]',
  '{}',
  '0001-01-01T00:00:00+15:59',
  '9999-12-31T23:59:59.999999-15:59',
  '2026-02-30',
  '294277-01-01',
];

/**
 * Texts that make a regular expression slow where it has two ways to match the same characters. They are longer than a
 * URL may be, so only bodies contain them.
 */
const TEXTS_AGAINST_EXPRESSIONS = [
  `${' '.repeat(20_000)}x`,
  `a${' '.repeat(5000)}\n${' '.repeat(5000)}b`,
  `${'a'.repeat(65_536)}!`,
  `${'9'.repeat(20_000)}x`,
  `${'/'.repeat(20_000)}x`,
  `${'a@'.repeat(5000)}.`,
  `${'a.'.repeat(5000)}@`,
  '://'.repeat(5000),
  '<svg '.repeat(2000),
  '['.repeat(10_000),
  `${'('.repeat(5000)}${')'.repeat(4999)}`,
  `${'![['.repeat(1000)}${']]('.repeat(1000)}`,
  '*a_ '.repeat(2500),
  `T1${' , '.repeat(5000)}`,
];

/** Any text: a known difficult one, or a random one. */
export const hostileText: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
);

/** Any JSON value, usually of the wrong type. */
export const hostileJson: Arbitrary<Json> = fc.oneof(
  hostileText,
  fc.constantFrom(...TEXTS_AGAINST_EXPRESSIONS),
  fc.constantFrom<Json>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    5e-324,
    2 ** 53,
    -(2 ** 63),
    [],
    {},
    [[]],
    [null],
    [{}],
    [1, 'a', null],
  ),
  fc.constant<Json>(Array.from({ length: 1001 }, (_, index) => index)),
  fc.constantFrom<Json>(
    Array.from({ length: 10_001 }, () => ({})),
    Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`k${index}`, 0])),
    JSON.parse('['.repeat(40) + ']'.repeat(40)) as Json,
  ),
  fc.constant<Json>(JSON.parse('{"__proto__": {"x": 1}, "constructor": 1}') as Json),
  fc.jsonValue({ maxDepth: 3 }) as Arbitrary<Json>,
);

/** Existing ids, by the path, field or parameter that accepts them. */
export type Pool = Readonly<Record<string, readonly (string | number)[]>>;

/**
 * A value that a schema allows: existing ids from the pool, examples, or random values.
 */
export function validValue(schema: JsonSchema, document: OpenApiDocument, pool: Pool, name = ''): Arbitrary<Json> {
  const resolved = dereferenced(schema, document);
  const { type, enum: choices, items, properties, nullable, allOf, example } = resolved;
  if (Array.isArray(allOf)) return validValue(allOf[0] as JsonSchema, document, pool, name);
  const known = ['string', 'integer', 'number'].includes(String(type)) ? (pool[name] ?? []) : [];
  const plain = (): Arbitrary<Json> => {
    if (Array.isArray(choices)) return fc.constantFrom(...choices);
    if (type === 'array')
      return fc.array(validValue(items as JsonSchema, document, pool, name), {
        maxLength: Math.min(3, Number(resolved['maxItems'] ?? 3)),
      });
    if (known.length) return fc.constantFrom(...known);
    if (type === 'integer' || type === 'number') {
      const { minimum = 1, maximum = 1000 } = resolved as { minimum?: number; maximum?: number };
      return fc.integer({ min: minimum, max: maximum });
    }
    if (type === 'boolean') return fc.boolean();
    if (type === 'object' || properties) return validObject(resolved, document, pool);
    if (resolved['format'] === 'date-time')
      return fc.constantFrom('2026-03-04T15:43:51.615743+00:00', '2026-03-04', '2099-01-01T00:00:00Z');
    const { maxLength = 60 } = resolved as { maxLength?: number };
    return fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: Math.min(maxLength, 60) });
  };
  const value = example === undefined || known.length ? plain() : fc.oneof(plain(), fc.constant(example));
  return nullable === true ? fc.option(value, { nil: null, freq: 5 }) : value;
}

function validObject(schema: JsonSchema, document: OpenApiDocument, pool: Pool): Arbitrary<Json> {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  const required = (schema['required'] ?? []) as string[];
  const examples = (schema['example'] ?? {}) as Record<string, Json>;
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => {
      const shown: JsonSchema = name in examples ? { example: examples[name] ?? null } : {};
      return [name, validValue({ ...shown, ...dereferenced(member, document) }, document, pool, name)];
    }),
  );
  // With many optional fields, there are usually two that can't be combined.
  const least = Object.fromEntries(Object.entries(members).filter(([name]) => required.includes(name)));
  return fc.oneof(
    { weight: 3, arbitrary: fc.record(members, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record(least) },
  );
}

/** A valid body, with the values of its example. */
export function validBody(schema: JsonSchema, document: OpenApiDocument, pool: Pool): Arbitrary<Json> {
  const resolved = dereferenced(schema, document);
  return resolved['properties'] ? validObject(resolved, document, pool) : validValue(resolved, document, pool);
}

/** A body: valid, valid except for one field, or arbitrary. */
export function bodyFor(schema: JsonSchema, document: OpenApiDocument, pool: Pool): Arbitrary<Json> {
  const resolved = dereferenced(schema, document);
  const valid = validBody(resolved, document, pool);
  const names = Object.keys((resolved['properties'] ?? {}) as object);
  const spoiled = fc
    .tuple(valid, fc.constantFrom(...names, 'unknown', '__proto__'), hostileJson)
    .map(([body, name, value]) => Object.fromEntries([...Object.entries(body as object), [name, value]]) as Json);
  const hostile = fc.dictionary(fc.constantFrom(...names, 'id', 'unknown'), hostileJson, {
    maxKeys: 6,
  }) as Arbitrary<Json>;
  return fc.oneof(
    { weight: 3, arbitrary: valid },
    { weight: 4, arbitrary: spoiled },
    { weight: 1, arbitrary: hostile },
    { weight: 1, arbitrary: hostileJson },
  );
}
