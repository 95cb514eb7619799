import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { type FieldErrors, Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { lockRule } from '../../kernel/lock.js';
import { customItemToChange } from '../../kernel/row-to-change.js';
import { tables } from '../../kernel/tables.js';
import { findCwes } from '../cwe/find-cwes.js';
import type { ItemForm, ItemRow, ResolvedItem, WriteOptions } from '../item-batch/item-form.js';
import { creating, itemCommand } from '../item-batch/write-items.js';
import type { RemovedWeakness } from '../events/library.events.js';
import { RuleMapping } from './rule-mapping.entity.js';
import type { RuleMappingInput } from './rule-mapping.fields.js';
import {
  BUILT_IN_RULE_MAPPING,
  FIXED_RULE_MAPPING,
  MAX_RULE_MAPPINGS,
  ONE_TARGET,
  TOO_MANY_RULE_MAPPINGS,
} from './rule-mapping.rules.js';

type Row = ItemRow<RuleMappingInput>;

/** Serializes the creation of mappings, so that concurrent ones can't exceed the limit together. */
export const lockRuleMappings = (em: EntityManager, actor: Actor): Promise<void> =>
  lockRule(em, 'number of rule mappings', actor.organizationId);

/** How many more mappings the organization can have. */
export async function roomForRuleMappings(em: EntityManager, actor: Actor): Promise<number> {
  const { present } = await tables(em, RuleMapping)
    .selectFrom('rule_mapping')
    .select(sql<number>`count(*)::int`.as('present'))
    .where('organization_id', '=', actor.organizationId)
    .executeTakeFirstOrThrow();
  return MAX_RULE_MAPPINGS - present;
}

/** Throws `Invalid` if new mappings would exceed the limit. */
async function assertRoomFor(em: EntityManager, actor: Actor, added: number): Promise<void> {
  if (!added) return;
  await lockRuleMappings(em, actor);
  if (added > (await roomForRuleMappings(em, actor))) throw new Invalid({ non_field_errors: [TOO_MANY_RULE_MAPPINGS] });
}

/** The ids of those mappings that have a CWE. */
async function findIdsWithCwe(em: EntityManager, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (!ids.length) return new Set();
  const rows = await tables(em, RuleMapping)
    .selectFrom('rule_mapping')
    .select('id')
    .where('id', 'in', ids)
    .where('cwe', 'is not', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The columns of the target that a row sets: one of the two replaces the other. */
function targetOf({ input, references, write }: Row, hasCwe: boolean): ResolvedItem['columns'] | undefined {
  const { cwe, weakness } = input;
  if ('input' in write ? false : cwe === undefined && weakness === undefined) return {};
  const setsCwe = cwe !== undefined && cwe !== null;
  const setsWeakness = weakness !== undefined && weakness !== null;
  if (setsCwe && setsWeakness) return undefined;
  if (setsCwe) return { cwe, weakness_id: null };
  if (setsWeakness) return { cwe: null, weakness_id: references.columns['weakness_id'] };
  // A null that the mapping has already changes nothing.
  const clears = 'input' in write || (hasCwe ? cwe === null : weakness === null);
  return clears ? undefined : {};
}

async function resolve(
  em: EntityManager,
  actor: Actor,
  rows: readonly Row[],
  { fromFile = false }: WriteOptions,
): Promise<ResolvedItem[]> {
  // An import has checked the limit for the whole file, under the same lock.
  if (!fromFile) await assertRoomFor(em, actor, rows.filter(({ write }) => 'input' in write).length);
  const known = await findCwes(
    em,
    rows.flatMap(({ input }) => input.cwe ?? []),
  );
  const withCwe = await findIdsWithCwe(
    em,
    rows.flatMap(({ version }) => version?.identity ?? []),
  );
  return rows.map((row) => {
    const { cwe } = row.input;
    const columns = targetOf(row, row.version !== undefined && withCwe.has(row.version.identity));
    const errors: FieldErrors = {
      ...(!columns && { non_field_errors: [ONE_TARGET] }),
      ...(typeof cwe === 'number' && !known.has(cwe) && { cwe: missingMessages(String(cwe)) }),
    };
    return { ...(columns && { columns }), errors };
  });
}

const FORM: ItemForm<RuleMappingInput> = {
  table: { kind: 'rule_mapping', entity: RuleMapping },
  title: 'rule_pattern',
  references: { weakness: { kind: 'weakness', column: 'weakness_id' } },
  builtIn: BUILT_IN_RULE_MAPPING,
  resolve,
};

/** Creates and changes custom rule mappings; returns their public ids. Throws `RejectedRows`. */
export const writeRuleMappings = itemCommand(FORM);

/** Creates custom rule mappings; returns their public ids. Throws `RejectedRows`. */
export const createRuleMappings = creating<RuleMappingInput>(writeRuleMappings);

/** Deletes a custom rule mapping. Throws `NotFound`, and `Forbidden` for a built-in one. */
export async function removeRuleMapping(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const mapping = await customItemToChange(em, actor, RuleMapping, 'rule_mapping', id, FIXED_RULE_MAPPING);
  const title = mapping.rulePattern;
  await em.remove(mapping).flush();
  await recordActivity(em, actor, { subject: 'rule_mapping', verb: 'Deleted', id, title });
}

/** Maps rules to the successor of a weakness that is being deleted. Without one, their mappings are deleted with it. */
export async function moveRuleMappings(
  em: EntityManager,
  actor: Actor,
  { identity, successor }: RemovedWeakness,
): Promise<void> {
  if (successor === undefined) return;
  await tables(em, RuleMapping)
    .updateTable('rule_mapping')
    .set({ weakness_id: successor })
    .where('organization_id', '=', actor.organizationId)
    .where('weakness_id', '=', identity)
    .execute();
}
