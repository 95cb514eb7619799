import type { EntityManager } from '@mikro-orm/postgresql';
import { activationsOf } from '../../activity/activations.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';
import {
  type ChangedItem,
  changeItems,
  type ColumnValue,
  insertItems,
  type NewItem,
  writtenColumns,
} from '../../kernel/items/item-rows.js';
import { type Kind, LETTERS } from '../../kernel/item-id.js';
import { reserveItems, reserveRows } from '../../kernel/items/item-numbers.js';
import { changesAnything, type ItemWrite, newItems } from '../../kernel/items/item-write.js';
import { throwIfRejected } from '../../kernel/rejected-rows.js';
import { hasConditions, isCustomizable } from '../customization/customization.sql.js';
import { replaceMatchConditionsOf, type ResolvedCondition } from '../match-condition/match-condition.commands.js';
import { lastOrdinals } from './existing-items.js';
import type { ItemCommand, ItemForm, KnownFields, ResolvedItem, WriteOptions } from './item-form.js';
import { type ResolvedReferences, replaceLists } from './references.js';
import { rejectionOf, type ResolvedRow, resolveRows } from './resolve-rows.js';

/** Everything that is written for a row. */
interface PreparedItem {
  readonly id: string;
  readonly identity: number;
  /** The id of its version; the identity if the kind has no versions. */
  readonly version: number;
  readonly newItem?: NewItem & { readonly values: Record<string, ColumnValue> };
  readonly change?: ChangedItem;
  /** A change of a built-in item of a kind without versions. */
  readonly builtInChange?: ChangedItem;
  /** Match conditions that replace the current ones. */
  readonly conditions: readonly ResolvedCondition[] | undefined;
  /** Lists of references that are stored in tables of their own. */
  readonly lists: ResolvedReferences['lists'];
  readonly activities: readonly ActivityInput[];
}

/** Maximum length of a title in activities: that of a question may be a long text. */
const MAX_TITLE_LENGTH = 500;

/** Creates the command that creates items of a kind from inputs. */
export const creating =
  <Input>(write: ItemCommand<Input>) =>
  (em: EntityManager, actor: Actor, inputs: readonly Input[]): Promise<string[]> =>
    write(em, actor, newItems(inputs));

/** Creates the command that writes the items of a kind. */
export const itemCommand =
  <Input extends object>(form: ItemForm<Input>): ItemCommand<Input> =>
  async (em, actor, writes, options) =>
    (await writeItems(em, actor, form, writes, options)).map(({ id }) => id);

/**
 * Creates and changes items of a kind, by one statement per table; each item at most once. Activities are in the order
 * of the rows. Returns the ids of all rows; a row without fields, which changes nothing, has no `identity`. If it
 * throws `RejectedRows`, no row was written, but built-in items may have been copied: the caller rolls back. Its
 * errors are `NotFound` for items that the organization does not see, errors of the kind's own rules, and `Invalid` for
 * invalid fields and references.
 */
export async function writeItems<Input extends object>(
  em: EntityManager,
  actor: Actor,
  form: ItemForm<Input>,
  writes: readonly ItemWrite<Input>[],
  options: WriteOptions = {},
): Promise<{ readonly id: string; readonly identity?: number }[]> {
  const { table, references = {}, changeBuiltIn } = form;
  const { kind } = table;
  // A change without fields is ignored: its item is not even looked up.
  const effective = writes.filter((write) => 'input' in write || changesAnything(write));
  const rows = await resolveRows(em, actor, form, effective, options);
  throwIfRejected(rows.map((row) => rejectionOf(form, row)));
  const items = await prepareItems(em, actor, form, rows);
  const added = items.flatMap(({ newItem }) => newItem ?? []);
  const changes = items.flatMap(({ change }) => change ?? []);
  if (form.places) await assignOrdinals(em, actor, kind, form.places, added, changes);
  await insertItems(em, actor, table, added);
  await changeItems(em, actor, table, changes);
  const builtInChanges = items.flatMap(({ builtInChange }) => builtInChange ?? []);
  if (builtInChanges.length) {
    if (!changeBuiltIn) throw new Error(`Built-in items of the kind "${kind}" cannot be changed.`);
    await changeBuiltIn(em, actor, builtInChanges);
  }
  await replaceLists(em, references, items);
  const conditions = new Map(items.flatMap(({ version, conditions: own }) => (own ? [[version, own] as const] : [])));
  if (conditions.size && hasConditions(kind)) await replaceMatchConditionsOf(em, actor, kind, conditions);
  await recordActivity(em, actor, ...items.flatMap(({ activities }) => activities));
  const written = new Map(effective.map((write, index) => [write, items[index]]));
  return writes.map((write) => written.get(write) ?? { id: 'id' in write ? write.id : '' });
}

/** Allocates the ids of new items, and puts together what is written for each row. */
async function prepareItems<Input extends object>(
  em: EntityManager,
  actor: Actor,
  form: ItemForm<Input>,
  rows: readonly ResolvedRow<Input>[],
): Promise<PreparedItem[]> {
  const { table } = form;
  const { kind } = table;
  const isVersioned = isCustomizable(kind);
  const unreserved = rows.filter(({ write }) => 'input' in write && !write.reserved).length;
  const reserved = (await (isVersioned ? reserveItems : reserveRows)(em, actor, kind, unreserved)).values();
  const columns = writtenColumns(em, table);
  return rows.map((row): PreparedItem => {
    const { write, input, version, references, resolved, conditions } = row;
    const { lists } = references;
    const values = columnsOf(columns, input, { ...references.columns, ...resolved.columns });
    if ('input' in write) {
      const ids = write.reserved ?? reserved.next().value;
      if (!ids) throw new Error('No id was allocated for a new item.');
      return {
        ...ids,
        newItem: {
          ...ids,
          ...(resolved.owner !== undefined && { owner: resolved.owner }),
          values: { ...form.defaults?.(write.input, ids.id), ...resolved.defaults?.(ids.id), ...values },
        },
        conditions: conditions?.length ? conditions : undefined,
        lists,
        activities: [{ subject: kind, verb: 'Created', ...subjectOf(form, row, ids.id) }],
      };
    }
    if (!version) throw new Error('The item to change was not found.');
    const { id: versionId, identity, isCustom, active } = version;
    const change = { identity, fields: Object.keys(input), values };
    return {
      id: write.id,
      identity,
      version: versionId,
      ...(isVersioned || isCustom ? { change } : { builtInChange: change }),
      conditions,
      lists,
      activities: activationsOf(
        kind,
        subjectOf(form, row, write.id),
        resolved.reported ?? reportedFields(input),
        active,
      ),
    };
  });
}

/** The item of a row as its activities describe it. */
function subjectOf<Input extends object>(
  { table: { kind }, title: field = 'title' as keyof Input & string }: ItemForm<Input>,
  { input, version, resolved: { also } }: ResolvedRow<Input>,
  id: string,
): Pick<ActivityInput, 'id' | 'title' | 'also'> {
  const newTitle = input[field];
  const title =
    typeof newTitle === 'string' ? Array.from(newTitle).slice(0, MAX_TITLE_LENGTH).join('') : version?.title;
  return { id: LETTERS[kind] === '' ? Number(id) : id, title: title ?? '', ...(also && { also }) };
}

/** The changed fields as activities report them. */
const reportedFields = ({ is_active: isActive, ...input }: KnownFields): KnownFields =>
  isActive === undefined ? input : { ...input, active: isActive };

/** Appends new items that have no ordinal, also after items that the same batch moves. */
async function assignOrdinals(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  { within, maximum = Infinity }: { readonly within?: string; readonly maximum?: number },
  items: readonly { readonly values: Record<string, ColumnValue> }[],
  changes: readonly ChangedItem[],
): Promise<void> {
  if (items.every(({ values }) => values.ordinal !== undefined)) return;
  const parentOf = (values: Readonly<Record<string, ColumnValue>>): number =>
    within === undefined ? 0 : Number(values[within]);
  const parents = [...new Set(items.map(({ values }) => parentOf(values)))];
  const newOrdinals = changes.flatMap(({ identity, values: { ordinal } }) =>
    typeof ordinal === 'number' ? [[identity, ordinal] as const] : [],
  );
  const last = await lastOrdinals(em, actor, kind, within, parents, new Map(newOrdinals));
  for (const { values } of items) {
    const previous = last.get(parentOf(values)) ?? 0;
    values.ordinal ??= Math.min(previous + 1, maximum);
    last.set(parentOf(values), Math.max(previous, Number(values.ordinal)));
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
