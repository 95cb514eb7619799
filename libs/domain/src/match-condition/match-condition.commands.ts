import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../actor.js';
import { type FieldErrors, Invalid, missing } from '../refusal.js';
import type { ConditionedKind } from './match-condition.projection.js';
import { findIdentities } from '../overlay/find-identities.js';

/** A match condition as a client gives it: public ids of answers. A known `id` keeps that condition's ids. */
export interface MatchConditionInput {
  readonly id?: string;
  readonly required?: readonly string[];
  readonly excluded?: readonly string[];
}

/** A checked match condition: internal ids of answers. */
export interface ResolvedCondition {
  readonly id: string | undefined;
  readonly required: readonly number[];
  readonly excluded: readonly number[];
}

interface Condition {
  readonly item_id: string;
  readonly db_id: number;
  readonly required: readonly number[];
  readonly excluded: readonly number[];
}

/**
 * Checks conditions and finds their answers. Throws `Invalid` with a list under `match_conditions` that has `{}` for
 * every sound condition. Without input there is nothing to check.
 */
export async function resolveMatchConditions(
  em: EntityManager,
  actor: Actor,
  inputs: readonly MatchConditionInput[] | undefined,
): Promise<ResolvedCondition[] | undefined> {
  if (!inputs) return undefined;
  const found = await findIdentities(
    em,
    actor,
    'survey_answer',
    inputs.flatMap((input) => [...(input.required ?? []), ...(input.excluded ?? [])]),
  );
  const seen = new Set<string>();
  const errors = inputs.map((input): FieldErrors => {
    const entry: FieldErrors = {};
    for (const name of ['required', 'excluded'] as const) {
      const unknown = (input[name] ?? []).filter((id) => !found.has(id));
      if (unknown.length) entry[name] = unknown.flatMap(missing);
    }
    const both = (input.required ?? []).filter((id) => input.excluded?.includes(id));
    if (both.length) entry.non_field_errors = both.map((id) => `"${id}" is both required and excluded.`);
    if (input.id !== undefined && seen.has(input.id)) entry.id = [`"${input.id}" is given twice.`];
    if (input.id !== undefined) seen.add(input.id);
    return entry;
  });
  if (errors.some((entry) => Object.keys(entry).length)) throw new Invalid({ match_conditions: errors });
  const identities = (ids: readonly string[] = []) => [...new Set(ids)].map((id) => found.get(id) ?? 0);
  return inputs.map((input) => ({
    id: input.id,
    required: identities(input.required),
    excluded: identities(input.excluded),
  }));
}

/** Takes the next `count` numbers of the organization's own conditions; returns the first. */
async function takeNumbers(em: EntityManager, actor: Actor, count: number): Promise<number> {
  const { rows } = await sql<{ value: number }>`
    INSERT INTO id_counter AS c (organization_id, kind, value) VALUES (${actor.organizationId}, 'match_condition', ${count})
    ON CONFLICT (organization_id, kind) DO UPDATE SET value = c.value + ${count} RETURNING value`.execute(
    em.getKysely(),
  );
  return (rows[0]?.value ?? count) - count + 1;
}

const same = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id, place) => id === b[place]);

/**
 * Replaces the whole list of a version's match conditions. An entry with the id of one of them keeps that id; a shipped
 * condition that changes by it gets an integer id of the organization's own.
 */
export async function replaceMatchConditions(
  em: EntityManager,
  actor: Actor,
  kind: ConditionedKind,
  versionId: number,
  resolved: readonly ResolvedCondition[],
): Promise<void> {
  const owner = sql.ref(`${kind}_version_id`);
  const { rows } = await sql<Record<'item_id' | 'db_id', string> & Record<'required' | 'excluded', string[]>>`
    DELETE FROM match_condition WHERE ${owner} = ${versionId} RETURNING item_id, db_id, required, excluded`.execute(
    em.getKysely(),
  );
  const present = new Map(
    rows.map((row) => [
      row.item_id,
      { db_id: Number(row.db_id), required: row.required.map(Number), excluded: row.excluded.map(Number) },
    ]),
  );
  let next = resolved.length ? await takeNumbers(em, actor, resolved.length) : 0;
  const conditions = resolved.map(({ id, required, excluded }): Condition => {
    const known = id === undefined ? undefined : present.get(id);
    const number = next++;
    if (id === undefined || !known) return { item_id: `CMC${number}`, db_id: -number, required, excluded };
    const changed = known.db_id > 0 && !(same(known.required, required) && same(known.excluded, excluded));
    return { item_id: id, db_id: changed ? -number : known.db_id, required, excluded };
  });
  if (!conditions.length) return;
  await sql`
    INSERT INTO match_condition (${owner}, item_id, db_id, position, required, excluded)
    SELECT ${versionId}::bigint, item_id, db_id, row_number() OVER (), required, excluded
    FROM json_to_recordset(${JSON.stringify(conditions)}::json) AS r(item_id text, db_id bigint, required bigint[], excluded bigint[])`.execute(
    em.getKysely(),
  );
}
