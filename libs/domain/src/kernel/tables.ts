import type { EntityManager, InferKyselyDB } from '@mikro-orm/postgresql';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Item } from './item.entity.js';
import type { Kind } from './item-id.js';

/** The result of `defineEntity`. */
export interface Entity {
  readonly name: string;
  readonly tableName?: string;
}

/** A row as PostgreSQL returns it, for statements that the query builder cannot express. */
export type RowOf<E extends Entity> = Selectable<InferKyselyDB<E>[keyof InferKyselyDB<E>]>;

/**
 * A query builder for the tables of these entities, in the transaction of `em`. Wrong tables, columns and types do not
 * compile. Callers have to import the entities, so that the rules of layers apply to tables too.
 */
export const tables = <Entities extends readonly Entity[]>(em: EntityManager, ..._entities: Entities) =>
  em.getKysely<InferKyselyDB<Entities[number]>>();

/** A query builder for the columns that all kinds share, for code that gets the kind as an argument. */
export const itemTables = (em: EntityManager) => em.getKysely<Record<Kind, InferKyselyDB<typeof Item>['item']>>();

/** Any of several values, sent as a single parameter: `where('id', '=', oneOf(ids))`. */
export const oneOf = <Value>(values: readonly Value[]): RawBuilder<Value> => sql<Value>`ANY(${values})`;

/** An array of one internal id, to compare with columns of ids: `where('ancestors', '@>', arrayOf(id))`. */
export const arrayOf = (id: number): RawBuilder<number[]> => sql<number[]>`ARRAY[${id}::bigint]`;

/** Case-insensitive equality. */
export const equalsIgnoringCase = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) = lower(${text})`;

/** A value for a `json` or `jsonb` column. */
export const asJson = (value: unknown): RawBuilder<object> => sql<object>`${JSON.stringify(value)}::json`;

/** The time at which the transaction began. */
export const now = sql<string>`now()`;

/** The current time, which advances within a transaction. */
export const clockTime = sql<string>`clock_timestamp()`;
