import { type EntitySchema, p } from '@mikro-orm/core';
import type { NumberBounds } from '../fields/field-checks.js';
import { textArray } from './text-array.js';

const tables = new Map<string, EntitySchema>();

/** Lets `references` find what it names. Called once, with all of them. */
export function declareTables(schemas: readonly EntitySchema[]): void {
  for (const schema of schemas) tables.set(schema.meta.tableName, schema);
}

function tableNamed(name: string): EntitySchema {
  const table = tables.get(name);
  if (!table) throw new Error(`A foreign key names the table ${name}, which no entity declares.`);
  return table;
}

interface ForeignKey {
  /** What becomes of a row whose target is deleted. Without it, the target can't be deleted. */
  readonly onDelete?: 'cascade' | 'set null';
  /** Whether it can be checked at the end of a transaction instead of at once. */
  readonly deferrable?: boolean;
}

/**
 * A foreign key. It names its target's table and not the entity, so that a file of entities imports no other: a table
 * of a lower context may then point at one of a higher context (docs/adr/0030-every-table-is-an-entity.md). The
 * property holds the key alone, and is a number to types: no code follows a relation.
 */
export function references(table: string, { onDelete, deferrable }: ForeignKey = {}) {
  const column = p.bigint('number');
  Object.assign(column['~options'], {
    kind: 'm:1',
    type: undefined,
    entity: () => tableNamed(table),
    mapToPk: true,
    deleteRule: onDelete ?? 'no action',
    updateRule: 'no action',
    ...(deferrable && { deferMode: 'immediate' }),
  });
  return column;
}

/** The key of a row, which PostgreSQL counts: only imports and restores give one. */
export const key = () => p.bigint('number').columnType('bigint').primary().autoincrement().generated('identity');

/** The key of a row whose number comes from elsewhere. */
export const givenKey = () => p.integer().primary().autoincrement(false);

const withDefault = () => p.text().defaultRaw('');

/** The check of a column that holds the numbers of a field with these bounds. */
export const between = (column: string, { minimum, maximum }: Required<NumberBounds>): string =>
  `${column} BETWEEN ${minimum} AND ${maximum}`;

/** A column `text` that PostgreSQL works out of others. To types it has a default, so that no insert has to give it. */
export const computed = (expression: string): ReturnType<typeof withDefault> =>
  p.text().generated(`(${expression}) stored`).lazy() as unknown as ReturnType<typeof withDefault>;

/** A time as PostgreSQL writes it: a JavaScript date would lose its microseconds. Times are set by SQL alone. */
export const timestamp = () => p.text().columnType('timestamptz').lazy();

const now = () => timestamp().defaultRaw('statement_timestamp()');

export const createdAt = now;
export const updatedAt = now;

/** A column `bigint[]`, of internal ids: arrays have no foreign keys. */
export const numbers = () => p.array((text: string) => Number(text)).columnType('bigint[]');

const EMPTY = "'{}'";

/** The same, empty where nothing is given. */
export const numberList = () => numbers().defaultRaw(EMPTY);

/** A column `text[]` that is empty where nothing is given. */
export const textList = <Text extends string = string>() => textArray<Text>().defaultRaw(EMPTY);

/** An index that MikroORM has no words for: it has expressions, or nulls that count as equal. */
export const index = (name: string, on: string) => ({
  name,
  expression: `CREATE INDEX ${name} ON ${on}`,
});

/**
 * An index for parts of a text (`ILIKE '%…%'`). PostgreSQL keeps new entries in a list before it sorts them in. Each
 * search reads all of that list, up to 4 MiB by default: after 1,600 changes, searches took half as long again.
 */
export const textIndex = (name: string, table: string, text: string) =>
  index(name, `${table} USING gin (${text} gin_trgm_ops) WITH (gin_pending_list_limit = 64)`);

/** The same as `index` for a unique one: MikroORM makes constraints, which have no expressions and no conditions. */
export const uniqueIndex = (name: string, on: string) => ({
  name,
  expression: `CREATE UNIQUE INDEX ${name} ON ${on}`,
});
