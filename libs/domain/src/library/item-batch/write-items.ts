import type { EntityManager, EntitySchema } from '@mikro-orm/postgresql';
import { activationsOf } from '../../activity/activations.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { type FieldErrors, Invalid, NotFound, type Refusal } from '../../kernel/domain-errors.js';
import { cleanTexts } from '../../kernel/field-checks.js';
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
import { type Version, versionsToChange } from '../customization/customization.commands.js';
import { type CustomizableKind, hasConditions } from '../customization/customization.sql.js';
import type { ProvenanceInput } from '../item-reference/provenance.js';
import {
  type ConditionOfFile,
  replaceMatchConditionsOf,
  type ResolvedCondition,
  resolveMatchConditionsOf,
} from '../match-condition/match-condition.commands.js';

/** What inputs of all kinds with versions have in common. */
export interface ItemInput extends ProvenanceInput {
  readonly title: string;
  readonly match_conditions?: readonly ConditionOfFile[];
  readonly active?: boolean;
}

/** A row of a batch: the fields that it gives, and the version that they change; none of a new item. */
export interface ItemRow<Input> {
  readonly input: Partial<Input>;
  readonly version?: Version | undefined;
  readonly write: ItemWrite<Input>;
}

/** What a kind's own rules make of a row. */
export interface ResolvedItem {
  /** Columns whose values are not those of the field of the same name; undefined for what is not given. */
  readonly columns?: Readonly<Record<string, ColumnValue | undefined>>;
  /** What is wrong with the fields. */
  readonly errors?: FieldErrors;
  /** Why the row is refused whatever its fields are. */
  readonly refusal?: Refusal | undefined;
  /** Internal id of the item that it exists within. */
  readonly owner?: number;
  /** What its activities name as well. */
  readonly also?: ActivityInput['also'];
  /** The changed fields as activities report them, if not those of the input. */
  readonly reported?: { readonly active?: boolean };
}

/** How items of a kind are written. */
export interface ItemForm<Input extends ItemInput> {
  readonly table: ItemTable & { readonly kind: CustomizableKind };
  readonly entity: EntitySchema;
  /** What a new item has where its input says nothing. */
  readonly defaults: (input: Input, id: string) => Readonly<Record<string, ColumnValue>>;
  /** Checks all rows and finds what they refer to, by one query for each kind; results are in the order of the rows. */
  readonly resolve: (
    em: EntityManager,
    actor: Actor,
    rows: readonly ItemRow<Input>[],
    options: WriteOptions,
  ) => Promise<readonly ResolvedItem[]>;
}

export interface WriteOptions {
  /**
   * Whether the rows are a batch of a file: conditions have the lists of both modes, and rules that span several items
   * are checked over the whole file.
   */
  readonly fromFile?: boolean;
}

/** An item that was written. A row without fields changes nothing, and has no identity here. */
interface WrittenItem {
  readonly id: string;
  readonly identity?: number;
}

/** Columns that every kind fills alike. */
export const COMMON_COLUMNS = {
  title: 'text',
  text: 'text',
  active: 'boolean',
  references: 'text[]',
  reviewed_at: 'date',
} as const;

const COMMON_DEFAULTS = { active: true, references: [], reviewed_at: null };

/**
 * Makes and changes items of a kind, each of them once, by one statement for each table. Activities come in the order
 * of the rows. Throws `RefusedRows`, and has written nothing then: `NotFound` for a row that changes what the
 * organization does not see, what the kind's own rules say, and `Invalid` for one that refers to what does not exist.
 */
export async function writeItems<Input extends ItemInput>(
  em: EntityManager,
  actor: Actor,
  form: ItemForm<Input>,
  writes: readonly ItemWrite<Input>[],
  options: WriteOptions = {},
): Promise<WrittenItem[]> {
  const { table, entity, defaults, resolve } = form;
  const { kind } = table;
  // A change without fields is no change: its item is not even looked for.
  const effective = writes.filter((write) => 'input' in write || changesAnything(write));
  const ids = effective.flatMap((write) => ('id' in write ? [write.id] : []));
  const versions = await versionsToChange(em, actor, kind, entity, ids);
  const rows = effective.map((write): ItemRow<Input> =>
    'id' in write ? { write, input: write.changes, version: versions.get(write.id) } : { write, input: write.input },
  );
  const resolved = await resolve(em, actor, rows, options);
  const conditions = await resolveMatchConditionsOf(
    em,
    actor,
    rows.map(({ input }) => input.match_conditions),
    options,
  );
  refuseRows(
    rows.map(({ write, version }, place) => {
      if ('id' in write && !version) return new NotFound();
      const wrong = conditions[place]?.errors;
      const errors = { ...resolved[place]?.errors, ...(wrong && { match_conditions: wrong }) };
      return resolved[place]?.refusal ?? (Object.keys(errors).length ? new Invalid(errors) : undefined);
    }),
  );
  const unreserved = rows.filter(({ write }) => 'input' in write && !write.reserved).length;
  const reserved = (await reserveItems(em, actor, kind, unreserved)).values();
  const made: NewItem[] = [];
  const changed: ChangedItem[] = [];
  const replaced = new Map<number, readonly ResolvedCondition[]>();
  const activities: ActivityInput[] = [];
  const written = new Map<ItemWrite<Input>, WrittenItem>();
  for (const [place, { write, input, version }] of rows.entries()) {
    const { owner, also, columns, reported = input } = resolved[place] ?? {};
    const values = columnsOf(table, input, columns);
    const found = conditions[place]?.conditions;
    const named = also ? { also } : {};
    if (version && 'id' in write) {
      const { identity } = version;
      const item = { id: write.id, title: input.title ?? version.title, ...named };
      changed.push({ identity, fields: Object.keys(input), values });
      if (found) replaced.set(version.id, found);
      activities.push(...activationsOf(kind, item, reported, version.active));
      written.set(write, { id: write.id, identity });
    } else if ('input' in write) {
      const item = write.reserved ?? reserved.next().value;
      if (!item) throw new Error('An id was not taken.');
      const { id, identity } = item;
      const all = { ...COMMON_DEFAULTS, ...defaults(write.input, id), ...values };
      made.push({ ...item, ...(owner !== undefined && { owner }), values: all });
      if (found?.length) replaced.set(item.version, found);
      activities.push({ subject: kind, verb: 'Created', id, title: write.input.title, ...named });
      written.set(write, { id, identity });
    }
  }
  if (made.length) await insertItems(em, actor, table, made);
  if (changed.length) await changeItems(em, actor, table, changed);
  if (replaced.size && hasConditions(kind)) await replaceMatchConditionsOf(em, actor, kind, replaced);
  await recordActivity(em, actor, ...activities);
  return writes.map((write) => written.get(write) ?? { id: 'id' in write ? write.id : '' });
}

/** The public ids of what was written. */
export const idsOf = async (written: Promise<readonly WrittenItem[]>): Promise<string[]> =>
  (await written).map(({ id }) => id);

/** The columns of the fields that are given. */
function columnsOf(
  { columns }: ItemTable,
  { references, ...input }: Partial<ItemInput>,
  others: ResolvedItem['columns'] = {},
): Record<string, ColumnValue> {
  const all = { ...input, references: references && cleanTexts(references), ...others };
  return Object.fromEntries(
    Object.entries<unknown>(all).filter(
      (entry): entry is [string, ColumnValue] => entry[1] !== undefined && Object.hasOwn(columns, entry[0]),
    ),
  );
}
