import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { activationsOf } from '../../activity/activations.js';
import type { ActivitySubject } from '../../activity/activities.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { type FieldErrors, Forbidden, Invalid, NotFound, type DomainError } from '../../kernel/domain-errors.js';
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
import { throwIfRejected } from '../../kernel/rejected-rows.js';
import { versionsToChange } from '../customization/customization.commands.js';
import { hasConditions, isCustomizable } from '../customization/customization.sql.js';
import {
  type ConditionOfFile,
  replaceMatchConditionsOf,
  type ResolvedCondition,
  resolveMatchConditionsOf,
} from '../match-condition/match-condition.commands.js';
import { lastPlaces, type ExistingItem, rowsToChange } from './existing-items.js';
import { type NamedItems, type ReferenceFields, replaceLists, resolveReferences, type Upcoming } from './references.js';
import { isUniquelyNamed, nameErrors } from './unique-names.js';

/** Fields that `writeItems` treats specially; some kinds lack some of them. */
interface KnownFields {
  readonly match_conditions?: readonly ConditionOfFile[];
  readonly references?: readonly string[];
  readonly active?: boolean;
  /** An alias of `active`. */
  readonly is_active?: boolean;
}

/** A row of a batch: its fields and, unless the item is new, the current version. */
export interface ItemRow<Input> {
  readonly input: Partial<Input>;
  readonly version?: ExistingItem | undefined;
  readonly write: ItemWrite<Input>;
  /** The resolved references of the fields that the form declares. */
  readonly named: NamedItems;
}

/** The result of a kind's own rules for a row. */
export interface ResolvedItem {
  /** Columns that differ from the field of the same name; undefined if not given. */
  readonly columns?: Readonly<Record<string, ColumnValue | undefined>>;
  /** Errors by field. */
  readonly errors?: FieldErrors;
  /** An error that does not belong to a field. */
  readonly refusal?: DomainError | undefined;
  /** Internal id of the parent item. */
  readonly owner?: number;
  /** Defaults of a new item with this public id that depend on more than its input. */
  readonly defaults?: (id: string) => Readonly<Record<string, ColumnValue>>;
  /** Further items that the activities reference. */
  readonly also?: ActivityInput['also'];
  /** The changes that activities report, if they differ from the input. */
  readonly reported?: { readonly active?: boolean };
}

/** Defines how the items of a kind are written. */
export interface ItemForm<Input extends object> {
  readonly table: ItemTable & { readonly kind: Kind & ActivitySubject };
  /** The field with the item's name, if it is not `title`. */
  readonly title?: keyof Input & string;
  readonly references?: ReferenceFields;
  /**
   * Set if new items without an ordinal are appended: to all items, or to those with the same parent (column `within`).
   */
  readonly places?: { readonly within?: string; readonly maximum?: number };
  /** Defaults of a new item. */
  readonly defaults?: (input: Input, id: string) => Readonly<Record<string, ColumnValue>>;
  /** Finds the items to change, if they are neither versions nor plain rows of the table. */
  readonly find?: (em: EntityManager, actor: Actor, ids: readonly string[]) => Promise<Map<string, ExistingItem>>;
  /** For kinds without versions: the error for a change of a built-in item, or the function that changes it. */
  readonly builtIn?: string | ((em: EntityManager, actor: Actor, items: readonly ChangedItem[]) => Promise<void>);
  /** Applies the kind's own rules to all rows; results are in the order of the rows. */
  readonly resolve?: (
    em: EntityManager,
    actor: Actor,
    rows: readonly ItemRow<Input>[],
    options: WriteOptions,
  ) => Promise<readonly ResolvedItem[]> | readonly ResolvedItem[];
}

export interface WriteOptions {
  /**
   * Whether the rows are a batch of a file. Conditions then have the lists of both modes, and the import checks rules
   * that span several items over the whole file.
   */
  readonly fromFile?: boolean;
  readonly upcoming?: Upcoming;
}

/** An item that was written. For a row without fields, which changes nothing, there is no identity. */
interface WrittenItem {
  readonly id: string;
  readonly identity?: number;
}

const NOTHING_NAMED: NamedItems = { columns: {}, lists: {}, errors: {} };

/** The default error for a change of a built-in item. */
export const FIXED_CONTENT = "Built-in content of this kind can't be changed.";

/** Maximum length of a title in activities: that of a question may be a long text. */
const LONGEST_TITLE = 500;

/** Creates and changes items of a kind; returns their public ids. Throws `RejectedRows`. */
export type ItemCommand<Input> = (
  em: EntityManager,
  actor: Actor,
  writes: readonly ItemWrite<Input>[],
  options?: WriteOptions,
) => Promise<string[]>;

/** Creates the command that creates items of a kind from inputs. */
export const creating =
  <Input>(write: ItemCommand<Input>) =>
  (em: EntityManager, actor: Actor, inputs: readonly Input[]): Promise<string[]> =>
    write(em, actor, newItems(inputs));

/** Creates the command that writes the items of a kind. */
export const itemCommand =
  <Input extends object>(form: ItemForm<Input>): ItemCommand<Input> =>
  (em, actor, writes, options) =>
    idsOf(writeItems(em, actor, form, writes, options));

/**
 * Creates and changes items of a kind, by one statement per table; each item at most once. Activities are in the order
 * of the rows. If it throws `RejectedRows`, nothing was written. Its errors are `NotFound` for items that the
 * organization does not see, errors of the kind's own rules, and `Invalid` for invalid fields and references.
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
  // A change without fields is ignored: its item is not even looked up.
  const effective = writes.filter((write) => 'input' in write || changesAnything(write));
  const ids = effective.flatMap((write) => ('id' in write ? [write.id] : []));
  // For files, the import checks the names of all rows together, and holds the lock.
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
  throwIfRejected(
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
  const insertedItems: (NewItem & { values: Record<string, ColumnValue> })[] = [];
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
      insertedItems.push({ ...item, ...(owner !== undefined && { owner }), values: all });
      if (found?.length) replaced.set(item.version, found);
      activities.push({ subject: kind, verb: 'Created', ...reportedItem(id) });
      written.set(write, { id, identity });
    }
    const identity = written.get(write)?.identity;
    if (identity !== undefined) lists.push({ identity, lists: items.lists });
  }
  if (form.places) await assignOrdinals(em, actor, kind, form.places, insertedItems);
  await insertItems(em, actor, table, insertedItems);
  await changeItems(em, actor, table, changed);
  if (builtIn.length && typeof ofBuiltIn === 'function') await ofBuiltIn(em, actor, builtIn);
  await replaceLists(em, references, lists);
  if (replaced.size && hasConditions(kind)) await replaceMatchConditionsOf(em, actor, kind, replaced);
  await recordActivity(em, actor, ...activities);
  return writes.map((write) => written.get(write) ?? { id: 'id' in write ? write.id : '' });
}

const idsOf = async (written: Promise<readonly WrittenItem[]>): Promise<string[]> =>
  (await written).map(({ id }) => id);

/** Finds and locks the items to change, by public id. */
async function findItems<Input extends object>(
  em: EntityManager,
  actor: Actor,
  { table: { kind, entity }, find, title = 'title' as keyof Input & string }: ItemForm<Input>,
  ids: readonly string[],
): Promise<Map<string, ExistingItem>> {
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

/** The name of the item in a row. */
function titleOf<Input extends object>({ title }: ItemForm<Input>, input: Partial<Input>): string | undefined {
  const given = (input as Readonly<Record<string, unknown>>)[title ?? 'title'];
  return typeof given === 'string' ? Array.from(given).slice(0, LONGEST_TITLE).join('') : undefined;
}

/** Appends new items that have no ordinal. */
async function assignOrdinals(
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

/** The columns for the given fields. */
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
