import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { nextNumbers } from '../../kernel/items/id-counter.js';
import { findIdentities, findAndLockIdentities } from '../../kernel/items/find-identities.js';
import { type FieldErrors, missingMessages } from '../../kernel/domain-errors.js';
import { repeatedId } from '../../kernel/fields/field-checks.js';
import { oneOf, tables } from '../../kernel/tables.js';
import { MatchCondition } from './match-condition.entity.js';
import { ATTRIBUTE_MODE } from './match-condition.projection.js';
import {
  CONDITION_LISTS,
  CONDITION_MODES,
  type ConditionMode,
  contradictionErrors,
  LIST_NAMES,
  type ListName,
} from './match-condition.rules.js';
import type { ConditionedKind } from '../customization/customization.sql.js';
import type { MatchConditionInput } from './match-condition.fields.js';

/** A match condition in a file, with the lists of both modes. */
export interface ConditionOfFile extends MatchConditionInput {
  /** A number that is already allocated for it. */
  readonly number?: number | undefined;
}

/** The lists of a condition: internal ids of answers and of attributes. */
type Lists = Readonly<Record<ListName, readonly number[]>>;

/** A validated match condition, with the lists of the given mode. */
export interface ResolvedCondition {
  readonly id: string | undefined;
  readonly number?: ConditionOfFile['number'];
  readonly lists: Partial<Lists>;
}

interface Condition extends Lists {
  readonly item_id: string;
  readonly db_id: number;
}

/** A stored condition: its version, and its position among the version's conditions. */
interface PlacedCondition extends Condition {
  readonly version: number | string;
  readonly position: number;
}

const NONE: Lists = { required: [], excluded: [], required_attributes: [], excluded_attributes: [] };

/** The conditions of one row, or their errors: a list with `{}` for each valid condition. */
interface ResolvedRow {
  readonly conditions?: ResolvedCondition[];
  readonly errors?: FieldErrors[];
}

/**
 * Validates the conditions of several rows and resolves their answers or attributes, in the order of the rows. Rows
 * without conditions are skipped.
 *
 * @param fromFile whether to accept numbers and the lists of both modes; otherwise only the lists of the actor's mode
 */
export async function resolveMatchConditionsOf(
  em: EntityManager,
  actor: Actor,
  rows: readonly (readonly ConditionOfFile[] | undefined)[],
  { fromFile = false } = {},
): Promise<ResolvedRow[]> {
  const mode = actor.flags.has(ATTRIBUTE_MODE) ? 'attributes' : 'answers';
  const modes: readonly ConditionMode[] = fromFile ? CONDITION_MODES : [mode];
  const all = rows.flatMap((inputs) => inputs ?? []);
  const identitiesByMode = { answers: new Map<string, number>(), attributes: new Map<string, number>() };
  for (const name of modes) {
    const requestedIds = all.flatMap((input) => CONDITION_LISTS[name].flatMap((list) => input[list] ?? []));
    identitiesByMode[name] =
      name === 'attributes'
        ? await findAndLockIdentities(em, actor, 'attribute', requestedIds)
        : await findIdentities(em, actor, 'survey_answer', requestedIds);
  }
  return rows.map((inputs) => {
    if (!inputs) return {};
    const seenIds = new Set<string>();
    const errors = inputs.map((input): FieldErrors => {
      const entry: FieldErrors = {};
      const usesMode = modes.some((name) => CONDITION_LISTS[name].some((list) => input[list]));
      if (!usesMode) entry.non_field_errors = [`Use "${CONDITION_LISTS[mode][0]}" and "${CONDITION_LISTS[mode][1]}".`];
      for (const name of modes) {
        for (const list of CONDITION_LISTS[name]) {
          const unknown = (input[list] ?? []).filter((id) => !identitiesByMode[name].has(id));
          if (unknown.length) entry[list] = unknown.flatMap(missingMessages);
        }
        const contradicting = contradictionErrors(input, name);
        if (contradicting.length) entry.non_field_errors = contradicting;
      }
      if (input.id !== undefined && seenIds.has(input.id)) entry.id = [repeatedId(input.id)];
      if (input.id !== undefined) seenIds.add(input.id);
      return entry;
    });
    if (errors.some((entry) => Object.keys(entry).length)) return { errors };
    const identities = (name: ConditionMode, ids: readonly string[] = []) =>
      [...new Set(ids)].map((id) => identitiesByMode[name].get(id) ?? 0);
    return {
      conditions: inputs.map((input) => ({
        id: input.id,
        ...(fromFile && { number: input.number }),
        lists: Object.fromEntries(
          modes.flatMap((name) => CONDITION_LISTS[name].map((list) => [list, identities(name, input[list])])),
        ),
      })),
    };
  });
}

const same = (a: Lists, b: Lists): boolean =>
  LIST_NAMES.every((name) => a[name].length === b[name].length && a[name].every((id, index) => id === b[name][index]));

const listColumns = sql.join(LIST_NAMES.map((name) => sql.ref(name)));

/**
 * Replaces all match conditions of versions of a kind, by the versions' internal ids. An entry with the id of an
 * existing condition keeps that id and its lists of the other mode. A built-in condition that changes gets a custom
 * integer id.
 */
export async function replaceMatchConditionsOf(
  em: EntityManager,
  actor: Actor,
  kind: ConditionedKind,
  replaced: ReadonlyMap<number, readonly ResolvedCondition[]>,
): Promise<void> {
  const owner = `${kind}_version_id` as const;
  const rows = await tables(em, MatchCondition)
    .deleteFrom('match_condition')
    .where(owner, '=', oneOf([...replaced.keys()]))
    .returning([`${owner} as version_id`, 'item_id', 'db_id', ...LIST_NAMES])
    .execute();
  const currentConditions = new Map(
    rows.map(({ version_id: version, ...condition }) => [`${version}/${condition.item_id}`, condition]),
  );
  const all = [...replaced.values()].flat();
  if (!all.length) return;
  const numbered = all.filter(({ number }) => number !== undefined);
  let next = await nextNumbers(em, actor, 'match_condition', all.length - numbered.length);
  const conditions = [...replaced].flatMap(([version, resolved]) =>
    resolved.map(({ id, number: requestedNumber, lists }, index) => {
      const current = id === undefined ? undefined : currentConditions.get(`${version}/${id}`);
      const number = requestedNumber ?? next++;
      const condition = current
        ? { ...current, ...lists }
        : { ...NONE, ...lists, item_id: `CMC${number}`, db_id: -number };
      const changed = current !== undefined && current.db_id > 0 && !same(current, condition);
      return { version, position: index + 1, ...condition, ...(changed && { db_id: -number }) };
    }),
  );
  await insertConditions(em, kind, conditions);
}

/** Inserts conditions of versions of a kind. */
export async function insertConditions(
  em: EntityManager,
  kind: ConditionedKind,
  conditions: readonly PlacedCondition[],
): Promise<void> {
  await sql`
    INSERT INTO match_condition (${sql.ref(`${kind}_version_id`)}, item_id, db_id, position, ${listColumns})
    SELECT version, item_id, db_id, position, ${listColumns}
    FROM json_to_recordset(${JSON.stringify(conditions)}::json) AS r(version bigint, position integer, item_id text,
      db_id bigint, required bigint[], excluded bigint[], required_attributes bigint[],
        excluded_attributes bigint[])`.execute(em.getKysely());
}
