import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { activationsOf } from '../../activity/activations.js';
import type { ActivitySubject } from '../../activity/activities.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { type FieldErrors, Forbidden, Invalid, NotFound, type Refusal } from '../../kernel/domain-errors.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';
import {
  type ChangedItem,
  changeItems,
  columnTypes,
  type ColumnValue,
  insertItems,
  type ItemTable,
  type NewItem,
  writtenColumns,
} from '../../kernel/item-batch.commands.js';
import { type Kind, LETTERS } from '../../kernel/item-id.js';
import { reserveItems, reserveRows } from '../../kernel/item-numbers.js';
import { changesAnything, type ItemWrite, newItems } from '../../kernel/item-write.js';
import { refuseRows } from '../../kernel/refused-rows.js';
import { versionsToChange } from '../customization/customization.commands.js';
import { hasConditions, isCustomizable } from '../customization/customization.sql.js';
import {
  type ConditionOfFile,
  replaceMatchConditionsOf,
  type ResolvedCondition,
  resolveMatchConditionsOf,
} from '../match-condition/match-condition.commands.js';
import { lastPlaces, type PresentItem, rowsToChange } from './present-items.js';
import { type NamedItems, type ReferenceFields, replaceLists, resolveReferences, type Upcoming } from './references.js';
import { isUniquelyNamed, nameErrors } from './unique-names.js';

/** Fields that items have of which `writeItems` knows; kinds lack some of them. */
interface KnownFields {
  readonly match_conditions?: readonly ConditionOfFile[];
  readonly references?: readonly string[];
  readonly active?: boolean;
  /** Another name of `active`. */
  readonly is_active?: boolean;
}

/** A row of a batch: the fields that it gives, and the item that they change; none of a new item. */
export interface ItemRow<Input> {
  readonly input: Partial<Input>;
  readonly version?: PresentItem | undefined;
  readonly write: ItemWrite<Input>;
  /** What its fields name, of those that the form declares. */
  readonly named: NamedItems;
}

/** What a kind's own rules make of a row. */
export interface ResolvedItem {
  /** Columns whose values are not those of the field of the same name; undefined for what is not given. */
  readonly columns?: Readonly<Record<string, ColumnValue | undefined>>;
  /** Errors by field. */
  readonly errors?: FieldErrors;
  /** Why the row is refused whatever its fields are. */
  readonly refusal?: Refusal | undefined;
  /** Internal id of the item that it exists within. */
  readonly owner?: number;
  /** What a new item of this public id has where its input says nothing, if that is not up to its input alone. */
  readonly defaults?: (id: string) => Readonly<Record<string, ColumnValue>>;
  /** What its activities name as well. */
  readonly also?: ActivityInput['also'];
  /** The changed fields as activities report them, if not those of the input: by `active`. */
  readonly reported?: { readonly active?: boolean };
}

/** How items of a kind are written. */
export interface ItemForm<Input extends object> {
  readonly table: ItemTable & { readonly kind: Kind & ActivitySubject };
  /** The field that items are called by, if not their title. */
  readonly title?: keyof Input & string;
  readonly references?: ReferenceFields;
  /** Whether new items come last unless they name a place: of all, or of those within the item that a column names. */
  readonly places?: { readonly within?: string; readonly maximum?: number };
  /** What a new item has where its input says nothing. */
  readonly defaults?: (input: Input, id: string) => Readonly<Record<string, ColumnValue>>;
  /** Finds the items that change, if not in versions or as rows of the table. */
  readonly find?: (em: EntityManager, actor: Actor, ids: readonly string[]) => Promise<Map<string, PresentItem>>;
  /** Of a kind without versions: why built-in items can't be changed, or how they change. */
  readonly builtIn?: string | ((em: EntityManager, actor: Actor, items: readonly ChangedItem[]) => Promise<void>);
  /** Checks all rows by the kind's own rules; results are in the order of the rows. */
  readonly resolve?: (
    em: EntityManager,
    actor: Actor,
    rows: readonly ItemRow<Input>[],
    options: WriteOptions,
  ) => Promise<readonly ResolvedItem[]> | readonly ResolvedItem[];
}

export interface WriteOptions {
  /**
   * Whether the rows are a batch of a file: conditions have the lists of both modes, and rules that span several items
   * are checked over the whole file.
   */
  readonly fromFile?: boolean;
  readonly upcoming?: Upcoming;
}

/** An item that was written. A row without fields changes nothing, and has no identity here. */
interface WrittenItem {
  readonly id: string;
  readonly identity?: number;
}

const NOTHING_NAMED: NamedItems = { columns: {}, lists: {}, errors: {} };

/** Why built-in items can't be changed, of kinds without a reason of their own. */
export const FIXED_CONTENT = "Built-in content of this kind can't be changed.";

/** Characters of a title in activities: that of a question may be a long text. */
const LONGEST_TITLE = 500;

/** Makes and changes items of a kind; returns their public ids. Throws `RefusedRows`. */
export type ItemCommand<Input> = (
  em: EntityManager,
  actor: Actor,
  writes: readonly ItemWrite<Input>[],
  options?: WriteOptions,
) => Promise<string[]>;

/** Makes items of a kind from what clients give; returns their public ids. Throws `RefusedRows`. */
export const creating =
  <Input>(write: ItemCommand<Input>) =>
  (em: EntityManager, actor: Actor, inputs: readonly Input[]): Promise<string[]> =>
    write(em, actor, newItems(inputs));

/** The command that writes items of this form. */
export const itemCommand =
  <Input extends object>(form: ItemForm<Input>): ItemCommand<Input> =>
  (em, actor, writes, options) =>
    idsOf(writeItems(em, actor, form, writes, options));

/**
 * Makes and changes items of a kind, each of them once, by one statement for each table. Activities come in the order
 * of the rows. Throws `RefusedRows`, and has written nothing then: `NotFound` for a row that changes what the
 * organization does not see, what the kind's own rules say, and `Invalid` for one that refers to what does not exist.
 */
export async function writeItems<Input extends object>(
  em: EntityManager,
  actor: Actor,
  form: ItemForm<Input>,
  writes: readonly ItemWrite<Input>[],
  options: WriteOptions = {},
): Promise<WrittenItem[]> {
  const { table, references = {}, builtIn: ofBuiltIn = FIXED_CONTENT } = form;
  const { kind } = table;
  const isVersioned = isCustomizable(kind);
  const ownColumns = writtenColumns(em, table);
  // A change without fields is no change: its item is not even looked for.
  const effective = writes.filter((write) => 'input' in write || changesAnything(write));
  const ids = effective.flatMap((write) => ('id' in write ? [write.id] : []));
  // Of files, the import looks at all rows together, and holds the lock.
  const taken = isUniquelyNamed(kind) && !options.fromFile ? await nameErrors(em, actor, kind, effective) : [];
  const versions = await findItems(em, actor, form, ids);
  const inputs = effective.map((write): Partial<Input> & KnownFields => ('id' in write ? write.changes : write.input));
  const named = await resolveReferences(em, actor, references, inputs, options.upcoming);
  const rows = effective.map((write, place) => ({
    write,
    input: inputs[place] ?? {},
    named: named[place] ?? NOTHING_NAMED,
    version: 'id' in write ? versions.get(write.id) : undefined,
  }));
  const resolved = (await form.resolve?.(em, actor, rows, options)) ?? [];
  const conditions = await resolveMatchConditionsOf(
    em,
    actor,
    inputs.map((input) => input.match_conditions),
    options,
  );
  refuseRows(
    rows.map(({ write, version, named: { errors: missing } }, place) => {
      if ('id' in write && !version) return new NotFound();
      if (!isVersioned && version?.isCustom === false && typeof ofBuiltIn === 'string') return new Forbidden(ofBuiltIn);
      const wrong = conditions[place]?.errors;
      const errors = {
        ...missing,
        ...resolved[place]?.errors,
        ...taken[place],
        ...(wrong && { match_conditions: wrong }),
      };
      return resolved[place]?.refusal ?? (Object.keys(errors).length ? new Invalid(errors) : undefined);
    }),
  );
  const unreserved = rows.filter(({ write }) => 'input' in write && !write.reserved).length;
  const reserve = isVersioned ? reserveItems : reserveRows;
  const reserved = (await reserve(em, actor, kind, unreserved)).values();
  const made: (NewItem & { values: Record<string, ColumnValue> })[] = [];
  const changed: ChangedItem[] = [];
  const builtIn: ChangedItem[] = [];
  const replaced = new Map<number, readonly ResolvedCondition[]>();
  const lists: Parameters<typeof replaceLists>[2][number][] = [];
  const activities: ActivityInput[] = [];
  const written = new Map<ItemWrite<Input>, WrittenItem>();
  for (const [place, { write, input, version, named: items }] of rows.entries()) {
    const { owner, also, columns, defaults, reported = reportedFields(input) } = resolved[place] ?? {};
    const values = columnsOf(ownColumns, input, { ...items.columns, ...columns });
    const found = conditions[place]?.conditions;
    const reportedItem = (id: string) => ({
      id: LETTERS[kind] === '' ? Number(id) : id,
      title: titleOf(form, input) ?? version?.title ?? '',
      ...(also && { also }),
    });
    if (version && 'id' in write) {
      const { identity } = version;
      const isFixed = !isVersioned && !version.isCustom;
      (isFixed ? builtIn : changed).push({ identity, fields: Object.keys(input), values });
      if (found) replaced.set(version.id, found);
      activities.push(...activationsOf(kind, reportedItem(write.id), reported, version.active));
      written.set(write, { id: write.id, identity });
    } else if ('input' in write) {
      const item = write.reserved ?? reserved.next().value;
      if (!item) throw new Error('An id was not taken.');
      const { id, identity } = item;
      const all = { ...form.defaults?.(write.input, id), ...defaults?.(id), ...values };
      made.push({ ...item, ...(owner !== undefined && { owner }), values: all });
      if (found?.length) replaced.set(item.version, found);
      activities.push({ subject: kind, verb: 'Created', ...reportedItem(id) });
      written.set(write, { id, identity });
    }
    const identity = written.get(write)?.identity;
    if (identity !== undefined) lists.push({ identity, lists: items.lists });
  }
  if (form.places) await givePlaces(em, actor, kind, form.places, made);
  await insertItems(em, actor, table, made);
  await changeItems(em, actor, table, changed);
  if (builtIn.length && typeof ofBuiltIn === 'function') await ofBuiltIn(em, actor, builtIn);
  await replaceLists(em, references, lists);
  if (replaced.size && hasConditions(kind)) await replaceMatchConditionsOf(em, actor, kind, replaced);
  await recordActivity(em, actor, ...activities);
  return writes.map((write) => written.get(write) ?? { id: 'id' in write ? write.id : '' });
}

/** The public ids of what was written. */
const idsOf = async (written: Promise<readonly WrittenItem[]>): Promise<string[]> =>
  (await written).map(({ id }) => id);

/** The items that change, by public id, locked. */
async function findItems<Input extends object>(
  em: EntityManager,
  actor: Actor,
  { table: { kind, entity }, find, title = 'title' as keyof Input & string }: ItemForm<Input>,
  ids: readonly string[],
): Promise<Map<string, PresentItem>> {
  if (find) return find(em, actor, ids);
  if (isCustomizable(kind)) return versionsToChange(em, actor, kind, entity, ids);
  const names = columnTypes(em, entity);
  const [active = sql`true`] = ['active', 'is_active'].flatMap((column) =>
    names.has(column) ? [sql.ref(column)] : [],
  );
  return rowsToChange(em, actor, kind, { title: sql.ref(title), active }, ids);
}

/** The changed fields as activities report them. */
const reportedFields = ({ is_active: isActive, ...input }: KnownFields): KnownFields =>
  isActive === undefined ? input : { ...input, active: isActive };

/** What a row calls its item. */
function titleOf<Input extends object>({ title }: ItemForm<Input>, input: Partial<Input>): string | undefined {
  const given = (input as Readonly<Record<string, unknown>>)[title ?? 'title'];
  return typeof given === 'string' ? Array.from(given).slice(0, LONGEST_TITLE).join('') : undefined;
}

/** Gives new items that name no place one behind all others. */
async function givePlaces(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  { within, maximum = Infinity }: { readonly within?: string; readonly maximum?: number },
  made: readonly { readonly values: Record<string, ColumnValue> }[],
): Promise<void> {
  if (made.every(({ values }) => values.ordinal !== undefined)) return;
  const parentOf = (values: Readonly<Record<string, ColumnValue>>): number =>
    within === undefined ? 0 : Number(values[within]);
  const last = await lastPlaces(em, actor, kind, within, [...new Set(made.map(({ values }) => parentOf(values)))]);
  for (const { values } of made) {
    const before = last.get(parentOf(values)) ?? 0;
    values.ordinal ??= Math.min(before + 1, maximum);
    last.set(parentOf(values), Math.max(before, Number(values.ordinal)));
  }
}

/** The columns of the fields that are given. */
function columnsOf(
  names: ReadonlyMap<string, unknown>,
  { references, ...input }: KnownFields,
  others: ResolvedItem['columns'] = {},
): Record<string, ColumnValue> {
  const all = { ...input, references: references && cleanTexts(references), ...others };
  return Object.fromEntries(
    Object.entries<unknown>(all).filter(
      (entry): entry is [string, ColumnValue] => entry[1] !== undefined && names.has(entry[0]),
    ),
  );
}
