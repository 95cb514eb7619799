import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import type { FieldErrors } from '../../kernel/domain-errors.js';
import type { Kind } from '../../kernel/item-id.js';
import type { ItemWrite } from '../../kernel/items/item-write.js';
import { lockRule } from '../../kernel/lock.js';
import { isCustomizable, visibleVersions } from '../customization/customization.sql.js';

/**
 * The kinds whose names are unique, ignoring case, among the items that an organization sees: the field of the name,
 * and the error for a name that is already used.
 */
export const UNIQUE_NAMES = {
  weakness: { field: 'title', error: 'A weakness with this title already exists.' },
  phase: { field: 'name', error: 'A phase with this name already exists.' },
} as const;

export type UniquelyNamed = keyof typeof UNIQUE_NAMES;

/** Whether names of a kind are unique. */
export const isUniquelyNamed = (kind: Kind): kind is UniquelyNamed => kind in UNIQUE_NAMES;

/** Serializes changes of the names of a kind, so that only one of two concurrent claims of a name succeeds. */
export const lockNames = (em: EntityManager, actor: Actor, kind: UniquelyNamed): Promise<void> =>
  lockRule(em, 'unique names', kind, actor.organizationId);

/**
 * The rows whose names are claimed by other rows too, or belong to items that keep their names, in the order of
 * `place`.
 *
 * @param claimed a relation of the new names: `place`, `id` (null for a new item), `name`, and the columns to return
 */
export async function findTaken<Row>(
  em: EntityManager,
  actor: Actor,
  kind: UniquelyNamed,
  claimed: Sql,
): Promise<Row[]> {
  const { organizationId: organization } = actor;
  const currentNames = isCustomizable(kind)
    ? visibleVersions(kind, organization)
    : sql`(SELECT p.* FROM ${sql.table(kind)} p WHERE ${builtInOrCustom('p', { organization })})`;
  const { rows } = await sql<Row>`
    WITH claimed AS MATERIALIZED (${claimed}),
    staying AS MATERIALIZED (
      SELECT lower(present.${sql.ref(UNIQUE_NAMES[kind].field)}) AS name FROM ${currentNames} present
      WHERE present.item_id NOT IN (SELECT id FROM claimed WHERE id IS NOT NULL))
    SELECT * FROM (SELECT *, count(*) OVER (PARTITION BY lower(name)) AS times FROM claimed) c
    WHERE times > 1 OR lower(name) IN (SELECT name FROM staying) ORDER BY place`.execute(em.getKysely());
  return rows;
}

/**
 * Validation errors of the names in rows, in the order of the rows. If there are any names, takes the lock of
 * `lockNames`.
 */
export async function nameErrors(
  em: EntityManager,
  actor: Actor,
  kind: UniquelyNamed,
  writes: readonly ItemWrite<{ readonly title?: unknown; readonly name?: unknown }>[],
): Promise<FieldErrors[]> {
  const { field, error } = UNIQUE_NAMES[kind];
  const newNames = writes.flatMap((write, index) => {
    const [id, name] = 'id' in write ? [write.id, write.changes[field]] : [undefined, write.input[field]];
    return name === undefined ? [] : [{ place: index, id, name }];
  });
  const errors = writes.map((): FieldErrors => ({}));
  if (!newNames.length) return errors;
  await lockNames(em, actor, kind);
  const claimed = sql`SELECT place, id, name FROM json_to_recordset(${JSON.stringify(newNames)}::json)
    AS r(place integer, id text, name text)`;
  for (const { place } of await findTaken<{ place: number }>(em, actor, kind, claimed))
    errors[place] = { [field]: [error] };
  return errors;
}
