import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { type FieldErrors, missingMessages } from '../../kernel/domain-errors.js';
import { findIdentities, findAndLockIdentities } from '../../kernel/items/find-identities.js';
import type { ColumnValue } from '../../kernel/items/item-rows.js';
import type { Kind } from '../../kernel/item-id.js';

/** A field that references items of a kind: one by its public id, none by null, or a list of them. */
export interface ReferenceField {
  readonly kind: Kind;
  /** The column of their internal ids; if `table` is set, the column of that table that holds the referencing item. */
  readonly column: string;
  /** The table that stores the list, instead of an array column. */
  readonly table?: string;
}

export type ReferenceFields = Readonly<Record<string, ReferenceField>>;

/** Finds the internal id of an item that a later batch of the same files will insert. */
export type Upcoming = (kind: Kind, id: string) => number | undefined;

/** The resolved references of a row. */
export interface ResolvedReferences {
  readonly columns: Readonly<Record<string, ColumnValue>>;
  /** Lists that are stored in tables of their own, by field. */
  readonly lists: Readonly<Record<string, readonly number[]>>;
  readonly errors: FieldErrors;
}

const idsIn = (value: unknown): string[] => [value ?? []].flat() as string[];

/**
 * Resolves the references of rows by one query per field. Items in array columns, which have no foreign keys, are
 * locked against deletion until the transaction ends.
 */
export async function resolveReferences(
  em: EntityManager,
  actor: Actor,
  fields: ReferenceFields,
  inputs: readonly Readonly<Record<string, unknown>>[],
  upcoming?: Upcoming,
): Promise<ResolvedReferences[]> {
  const resolved = inputs.map(() => ({
    columns: {} as Record<string, ColumnValue>,
    lists: {} as Record<string, readonly number[]>,
    errors: {} as Record<string, string[]>,
  }));
  for (const [field, { kind, column, table }] of Object.entries(fields)) {
    const referencedIds = inputs.flatMap((input) => idsIn(input[field]));
    if (!inputs.some((input) => input[field] !== undefined)) continue;
    const find = inputs.some((input) => Array.isArray(input[field])) ? findAndLockIdentities : findIdentities;
    const identityById = await find(em, actor, kind, referencedIds);
    const identityOf = (id: string): number | undefined => identityById.get(id) ?? upcoming?.(kind, id);
    for (const [index, { columns, lists, errors }] of resolved.entries()) {
      const value = inputs[index]?.[field];
      if (value === undefined) continue;
      const ids = [...new Set(idsIn(value))];
      const unknown = ids.filter((id) => identityOf(id) === undefined);
      const identities = ids.flatMap((id) => identityOf(id) ?? []);
      if (unknown.length) errors[field] = unknown.flatMap(missingMessages);
      else if (table) lists[field] = identities;
      else columns[column] = Array.isArray(value) ? identities : (identities[0] ?? null);
    }
  }
  return resolved;
}

/** Replaces the lists that are stored in tables of their own. */
export async function replaceLists(
  em: EntityManager,
  fields: ReferenceFields,
  items: readonly { readonly identity: number; readonly lists: ResolvedReferences['lists'] }[],
): Promise<void> {
  for (const [field, { kind, column, table }] of Object.entries(fields)) {
    const changedItems = items.filter(({ lists }) => lists[field]);
    if (!table || !changedItems.length) continue;
    const rows = changedItems.flatMap(({ identity, lists }) =>
      (lists[field] ?? []).map((named) => ({ identity, named })),
    );
    await sql`DELETE FROM ${sql.table(table)}
      WHERE ${sql.ref(column)} = ANY(${changedItems.map(({ identity }) => identity)}::bigint[])`.execute(
      em.getKysely(),
    );
    await sql`
      INSERT INTO ${sql.table(table)} (${sql.ref(column)}, ${sql.ref(`${kind}_id`)})
      SELECT identity, named FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS r(identity bigint, named bigint)`.execute(em.getKysely());
  }
}
