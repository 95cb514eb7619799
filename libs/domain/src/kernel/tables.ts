import type { EntityManager, InferKyselyDB } from '@mikro-orm/postgresql';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Item } from './item.entity.js';
import type { Kind } from './item-id.js';

/** What `defineEntity` gives. */
export interface Entity {
  readonly name: string;
  readonly tableName?: string;
}

/** A row of the table of an entity as PostgreSQL gives it, for statements that the builder cannot say. */
export type RowOf<E extends Entity> = Selectable<InferKyselyDB<E>[keyof InferKyselyDB<E>]>;

/**
 * The query builder on the tables of these entities, in the transaction of `em`: a wrong table, column or type does not
 * compile. Whoever writes to a table names its entity, so that the rules of layers hold for tables too.
 */
export const tables = <Entities extends readonly Entity[]>(em: EntityManager, ..._entities: Entities) =>
  em.getKysely<InferKyselyDB<Entities[number]>>();

/** The query builder on what the tables of all kinds have in common, for whoever is told the kind. */
export const itemTables = (em: EntityManager) => em.getKysely<Record<Kind, InferKyselyDB<typeof Item>['item']>>();

/** One of many values, sent as one parameter however many they are: `where('id', '=', oneOf(ids))`. */
export const oneOf = <Value>(values: readonly Value[]): RawBuilder<Value> => sql<Value>`ANY(${values})`;

/** Whether a text is the same as another, whatever the case of their letters. */
export const sameInAnyCase = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) = lower(${text})`;

/** A value of a column `json` or `jsonb`, as it is sent. */
export const asJson = (value: unknown): RawBuilder<object> => sql<object>`${JSON.stringify(value)}::json`;

/** A time that PostgreSQL tells. */
export const now = sql<string>`now()`;

/** The same by the clock, which goes on within a transaction. */
export const clockTime = sql<string>`clock_timestamp()`;
