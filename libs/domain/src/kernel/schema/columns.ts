import { type EntitySchema, p } from '@mikro-orm/core';
import { textArray } from './text-array.js';

const tables = new Map<string, EntitySchema>();

/** Registers the tables that `references` can name. Called once, with all of them. */
export function declareTables(schemas: readonly EntitySchema[]): void {
  for (const schema of schemas) tables.set(schema.meta.tableName, schema);
}

function tableNamed(name: string): EntitySchema {
  const table = tables.get(name);
  if (!table) throw new Error(`A foreign key names the table ${name}, which no entity declares.`);
  return table;
}

interface ForeignKey {
  /** What happens to a row when its target is deleted. By default, the target can't be deleted. */
  readonly onDelete?: 'cascade' | 'set null';
  /** Whether the check can be deferred to the end of the transaction. */
  readonly deferrable?: boolean;
}

/**
 * A foreign key. It names the target's table instead of its entity, so that entity files do not import each other: a
 * table of a lower context can then reference one of a higher context (docs/adr/0030-every-table-is-an-entity.md). The
 * property is the key, a number: no code follows relations.
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

/** A primary key that PostgreSQL generates; only imports and restores provide values. */
export const key = () => p.bigint('number').columnType('bigint').primary().autoincrement().generated('identity');

/** A primary key whose value comes from outside, such as a CWE number. */
export const externalKey = () => p.integer().primary().autoincrement(false);

const textWithDefault = () => p.text().defaultRaw('');

/** The check that a column is within the bounds of a field. */
export const between = (
  column: string,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): string => `${column} BETWEEN ${minimum} AND ${maximum}`;

/** A generated column of type `text`. Its TypeScript type has a default, so that inserts may omit it. */
export const computed = (expression: string): ReturnType<typeof textWithDefault> =>
  p.text().generated(`(${expression}) stored`).lazy() as unknown as ReturnType<typeof textWithDefault>;

/** A timestamp as text, because a JavaScript date would lose the microseconds. Timestamps are only set by SQL. */
export const timestamp = () => p.text().columnType('timestamptz').lazy();

const now = () => timestamp().defaultRaw('statement_timestamp()');

export const createdAt = now;
export const updatedAt = now;

/** A column `bigint[]` of internal ids. Arrays have no foreign keys. */
export const bigintArray = () => p.array((text: string) => Number(text)).columnType('bigint[]');

const EMPTY = "'{}'";

/** A column `bigint[]` that is empty by default. */
export const numberList = () => bigintArray().defaultRaw(EMPTY);

/** A column `text[]` that is empty by default. */
export const textList = <Text extends string = string>() => textArray<Text>().defaultRaw(EMPTY);

/** An index that MikroORM cannot express: one with expressions, or with NULLS NOT DISTINCT. */
export const index = (name: string, on: string) => ({
  name,
  expression: `CREATE INDEX ${name} ON ${on}`,
});

/**
 * A trigram index for substring searches (`ILIKE '%…%'`). New entries go to a pending list that every search reads
 * completely. At its default limit of 4 MiB, searches took half as long again after 1,600 changes.
 */
export const textIndex = (name: string, table: string, text: string) =>
  index(name, `${table} USING gin (${text} gin_trgm_ops) WITH (gin_pending_list_limit = 64)`);

/** The same for a unique index: MikroORM creates constraints, which have neither expressions nor conditions. */
export const uniqueIndex = (name: string, on: string) => ({
  name,
  expression: `CREATE UNIQUE INDEX ${name} ON ${on}`,
});
