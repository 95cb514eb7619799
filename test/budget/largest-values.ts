import { randomBytes } from 'node:crypto';

import type { Json } from '../support/client.js';
import { dereferenced, type JsonSchema, type OpenApiDocument } from '../support/document.js';
import type { Pool } from '../property/values.js';

/** Room for the punctuation and the names of a body. */
const ROOM_BYTES = 100_000;
/** Lists without a documented limit have the greatest length that any list in a body may have. */
const MAX_LIST_LENGTH = 10_000;
/** Values of an object without documented properties: as many as a diagram may have. */
const FREE_VALUES = 4990;
const FREE_TEXT_LENGTH = 900;
/** Length of texts for which there is no more room, or no documented limit. */
const SHORT_LENGTH = 20;
/** Texts that may be longer than this are CommonMark, or texts that people write. */
const TITLE_LENGTH = 1000;

/** CommonMark whose HTML would be thousands of times as long: each reference repeats the URL. */
function repeatingReferences(length: number): string {
  const label = `[a]: ${'u'.repeat(Math.floor(length / 2))}\n\n`;
  return (label + '[a]'.repeat(length)).slice(0, length);
}

/** A text of this length that no other item has. */
function longText(length: number): string {
  const unique = `${randomBytes(6).toString('hex')} `;
  if (length <= unique.length) return unique.slice(0, length);
  return length > TITLE_LENGTH ? repeatingReferences(length) : unique.padEnd(length, 'x');
}

/** Makes the largest values that schemas allow, until they fill one body. */
export class LargestValues {
  constructor(
    private readonly document: OpenApiDocument,
    private readonly pool: Pool,
    private remainingBytes: number,
  ) {
    this.remainingBytes -= ROOM_BYTES;
  }

  /** The largest value, with existing ids where the schema names items. */
  of(schema: JsonSchema, name: string): Json {
    const { allOf, ...resolved } = dereferenced(schema, this.document);
    if (Array.isArray(allOf)) return this.of(allOf[0] as JsonSchema, name);
    const { type, properties, items } = resolved;
    if (type === 'array') return this.list(items as JsonSchema, Number(resolved['maxItems'] ?? MAX_LIST_LENGTH), name);
    if (properties) return this.object(properties as Record<string, JsonSchema>);
    if (type === 'object' || type === undefined) return this.freeValues();
    return this.plain(resolved, name);
  }

  private plain(schema: JsonSchema, name: string): Json {
    const { type, enum: choices, example, format, maxLength, maximum } = schema;
    const known = this.pool[name]?.[0];
    if (Array.isArray(choices)) return choices.at(-1) ?? null;
    if (known !== undefined) return known;
    if (type === 'boolean') return true;
    if (type !== 'string') return maximum ?? example ?? 1;
    if (format === 'email') return `${randomBytes(6).toString('hex')}@example.com`;
    if (maxLength === undefined || (format !== undefined && example !== undefined))
      return example ?? longText(SHORT_LENGTH);
    return this.taken(longText(Math.min(Number(maxLength), Math.max(SHORT_LENGTH, this.remainingBytes))));
  }

  private object(properties: Record<string, JsonSchema>): Json {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, this.of(schema, name)]));
  }

  /** A list of all existing ids, or of as many different entries as there is room for. */
  private list(items: JsonSchema, maxItems: number, name: string): Json {
    const { type, enum: choices } = dereferenced(items, this.document);
    if (Array.isArray(choices)) return choices.slice(0, maxItems);
    const known = this.pool[name];
    if (known && (type === 'string' || type === 'integer')) return known.slice(0, maxItems);
    const entries: Json[] = [];
    while (entries.length < maxItems && this.remainingBytes > 0) entries.push(this.taken(this.of(items, name)));
    return entries;
  }

  private freeValues(): Json {
    const text = 'x'.repeat(Math.min(FREE_TEXT_LENGTH, Math.max(0, this.remainingBytes / FREE_VALUES)));
    return this.taken({ values: Array.from({ length: FREE_VALUES }, () => text) });
  }

  /** Counts the bytes of a value. */
  private taken<Value extends Json>(value: Value): Value {
    this.remainingBytes -= typeof value === 'string' ? value.length + 3 : JSON.stringify(value).length;
    return value;
  }
}
