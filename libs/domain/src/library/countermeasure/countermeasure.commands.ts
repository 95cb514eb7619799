import type { EntityManager } from '@mikro-orm/postgresql';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import { activationsOf, restorationOf } from '../../activity/activations.js';
import type { Actor } from '../../kernel/actor.js';
import { type FieldErrors, Invalid, missing, NotFound } from '../../kernel/domain-errors.js';
import { raise } from '../../kernel/domain-events.js';
import { findIdentities } from '../../kernel/find-identities.js';
import {
  type ChangedItem,
  changeItems,
  type ColumnValue,
  insertItems,
  type ItemTable,
  type NewItem,
} from '../../kernel/item-batch.commands.js';
import { reserveItems } from '../../kernel/item-numbers.js';
import { changesAnything, type ItemWrite } from '../../kernel/item-write.js';
import { refuseRows } from '../../kernel/refused-rows.js';
import {
  type ConditionOfFile,
  type MatchConditionInput,
  replaceMatchConditionsOf,
  type ResolvedCondition,
  resolveMatchConditionsOf,
} from '../match-condition/match-condition.commands.js';
import { deleteIdentity, restore, versionsToChange, versionToRemove } from '../customization/customization.commands.js';
import type { ProvenanceInput } from '../item-reference/provenance.js';
import { CountermeasureVersion } from './countermeasure.entity.js';
import { countermeasureRemoved } from './countermeasure.events.js';
import { cleanTexts } from '../../kernel/field-checks.js';
import { describeRemovedParts } from './part.commands.js';

/** A countermeasure as a client gives it, checked for shape: public ids, JSON's names. */
export interface CountermeasureInput extends ProvenanceInput {
  readonly title: string;
  readonly text: string;
  readonly problem: string;
  readonly priority: number;
  readonly phase: string;
  readonly match_conditions?: readonly MatchConditionInput[];
  readonly tags?: readonly string[];
  readonly active?: boolean;
}

/** The same as a file gives it, which has more to say. */
interface CountermeasureOfFile extends CountermeasureInput {
  readonly match_conditions?: readonly ConditionOfFile[];
  readonly categories?: readonly string[];
  readonly verification_coverage?: readonly string[];
}

const TABLE: ItemTable = {
  kind: 'countermeasure',
  customizable: true,
  columns: {
    title: 'text',
    text: 'text',
    weakness_id: 'bigint',
    priority: 'integer',
    phase_id: 'bigint',
    active: 'boolean',
    tags: 'text[]',
    categories: 'text[]',
    verification_coverage: 'text[]',
    references: 'text[]',
    reviewed_at: 'date',
  },
};

/** What the input of a row refers to, by internal id; or what of it does not exist. */
interface References {
  readonly weaknessId?: number | undefined;
  readonly phaseId?: number | undefined;
  readonly conditions?: readonly ResolvedCondition[] | undefined;
  readonly errors: FieldErrors;
}

/** Finds what all rows refer to, by one query a kind. */
async function resolveReferences(
  em: EntityManager,
  actor: Actor,
  inputs: readonly Partial<CountermeasureOfFile>[],
  fromFile: boolean,
): Promise<References[]> {
  const named = (field: 'problem' | 'phase') => inputs.flatMap(({ [field]: id }) => (id === undefined ? [] : [id]));
  const weaknesses = await findIdentities(em, actor, 'weakness', named('problem'));
  const phases = await findIdentities(em, actor, 'phase', named('phase'));
  const given = inputs.map((input) => input.match_conditions);
  const conditions = await resolveMatchConditionsOf(em, actor, given, { fromFile });
  return inputs.map(({ problem, phase }, row) => {
    const weaknessId = problem === undefined ? undefined : weaknesses.get(problem);
    const phaseId = phase === undefined ? undefined : phases.get(phase);
    const wrong = conditions[row]?.errors;
    const errors: FieldErrors = {
      ...(problem !== undefined && weaknessId === undefined && { problem: missing(problem) }),
      ...(phase !== undefined && phaseId === undefined && { phase: missing(phase) }),
      ...(wrong && { match_conditions: wrong }),
    };
    return { weaknessId, phaseId, conditions: conditions[row]?.conditions, errors };
  });
}

/** The columns of the fields that are given. */
function columnsOf(
  input: Partial<CountermeasureOfFile>,
  { weaknessId, phaseId }: References,
): Record<string, ColumnValue> {
  const { problem: _problem, phase: _phase, match_conditions: _conditions, tags, references, ...plain } = input;
  const columns: Record<string, ColumnValue | undefined> = {
    ...plain,
    weakness_id: weaknessId,
    phase_id: phaseId,
    tags: tags && cleanTexts(tags),
    references: references && cleanTexts(references),
  };
  const isGiven = (column: [string, ColumnValue | undefined]): column is [string, ColumnValue] =>
    column[1] !== undefined;
  return Object.fromEntries(Object.entries(columns).filter(isGiven));
}

/** What a new countermeasure has where its input says nothing. */
const DEFAULTS = {
  active: true,
  tags: [],
  categories: [],
  verification_coverage: [],
  references: [],
  reviewed_at: null,
};

/** Makes custom countermeasures; returns their public ids. Throws `RefusedRows`. */
export const createCountermeasures = (
  em: EntityManager,
  actor: Actor,
  inputs: readonly CountermeasureInput[],
): Promise<string[]> =>
  writeCountermeasures(
    em,
    actor,
    inputs.map((input) => ({ input })),
  );

/** Changes countermeasures: built-in ones for the actor's organization alone. Throws `RefusedRows`. */
export const updateCountermeasures = (
  em: EntityManager,
  actor: Actor,
  changed: readonly { readonly id: string; readonly changes: Partial<CountermeasureInput> }[],
): Promise<string[]> => writeCountermeasures(em, actor, changed);

/**
 * Makes and changes countermeasures, each of them once, by one statement a table; returns their public ids. Activities
 * come in the order of the rows. Throws `RefusedRows`, and has written nothing then: `NotFound` for a row that changes
 * what the organization does not see, `Invalid` for one that refers to what does not exist.
 *
 * @param fromFile whether the rows are of a file: conditions have the lists of both modes
 */
export async function writeCountermeasures(
  em: EntityManager,
  actor: Actor,
  writes: readonly ItemWrite<CountermeasureOfFile>[],
  { fromFile = false } = {},
): Promise<string[]> {
  const ids = writes.flatMap((write) => ('id' in write && changesAnything(write) ? [write.id] : []));
  const versions = await versionsToChange(em, actor, 'countermeasure', CountermeasureVersion, ids);
  const inputs = writes.map((write) => ('id' in write ? write.changes : write.input));
  const references = await resolveReferences(em, actor, inputs, fromFile);
  refuseRows(
    writes.map((write, row) => {
      if ('id' in write && changesAnything(write) && !versions.has(write.id)) return new NotFound();
      const errors = references[row]?.errors ?? {};
      return Object.keys(errors).length ? new Invalid(errors) : undefined;
    }),
  );
  const unreserved = writes.filter((write) => 'input' in write && !write.reserved).length;
  const reserved = (await reserveItems(em, actor, 'countermeasure', unreserved)).values();
  const made: NewItem[] = [];
  const changed: ChangedItem[] = [];
  const conditions = new Map<number, readonly ResolvedCondition[]>();
  const activities: ActivityInput[] = [];
  const written = writes.map((write, row): string => {
    const found = references[row] ?? { errors: {} };
    if ('id' in write) {
      const { id, changes } = write;
      const version = versions.get(id);
      if (!version) return id;
      const { identity, active } = version;
      changed.push({ identity, fields: Object.keys(changes), values: columnsOf(changes, found) });
      if (found.conditions) conditions.set(version.id, found.conditions);
      const title = changes.title ?? version.title;
      activities.push(...activationsOf('countermeasure', { id, title }, changes, active));
      return id;
    }
    const item = write.reserved ?? reserved.next().value;
    if (!item) throw new Error('An id was not taken.');
    made.push({ ...item, values: { ...DEFAULTS, ...columnsOf(write.input, found) } });
    if (found.conditions?.length) conditions.set(item.version, found.conditions);
    activities.push({ subject: 'countermeasure', verb: 'Created', id: item.id, title: write.input.title });
    return item.id;
  });
  if (made.length) await insertItems(em, actor, TABLE, made);
  if (changed.length) await changeItems(em, actor, TABLE, changed);
  if (conditions.size) await replaceMatchConditionsOf(em, actor, 'countermeasure', conditions);
  await recordActivity(em, actor, ...activities);
  return written;
}

/**
 * Deletes a custom countermeasure with all that hangs on it, and takes it out of components and projects; drops the
 * organization's version of a built-in one. Throws `NotFound`, and `Forbidden` for a built-in one without changes.
 */
export async function removeCountermeasure(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const version = await versionToRemove(em, actor, 'countermeasure', id);
  if (!version.isCustom) {
    const original = await restore(em, 'countermeasure', version);
    return recordActivity(em, actor, ...restorationOf('countermeasure', { id }, version, original));
  }
  const whole = { identity: version.identity, id, title: version.title };
  await raise(em, actor, countermeasureRemoved, whole);
  const parts = await describeRemovedParts(em, whole);
  await deleteIdentity(em, 'countermeasure', whole.identity);
  return recordActivity(em, actor, ...parts, { subject: 'countermeasure', verb: 'Deleted', id, title: whole.title });
}
