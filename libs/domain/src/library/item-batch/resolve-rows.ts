import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { type DomainError, type FieldErrors, Forbidden, Invalid, NotFound } from '../../kernel/domain-errors.js';
import { columnTypes } from '../../kernel/items/item-rows.js';
import type { ItemWrite } from '../../kernel/items/item-write.js';
import { versionsToChange } from '../customization/customization.commands.js';
import { isCustomizable } from '../customization/customization.sql.js';
import { conditionLimitError } from '../match-condition/condition-limit.js';
import { type ResolvedCondition, resolveMatchConditionsOf } from '../match-condition/match-condition.commands.js';
import { fixedFieldErrors } from './built-in-rules.js';
import { type ExistingItem, rowsToChange } from './existing-items.js';
import type { ItemForm, ItemRow, KnownFields, ResolvedItem, WriteOptions } from './item-form.js';
import { type ResolvedReferences, resolveReferences } from './references.js';
import { isUniquelyNamed, nameErrors } from './unique-names.js';

/** A row with the ids behind its references, and its errors. */
export interface ResolvedRow<Input> extends ItemRow<Input> {
  readonly input: Partial<Input> & KnownFields;
  /** The result of the kind's own rules. */
  readonly resolved: ResolvedItem;
  /** The new match conditions, if the row has that field. */
  readonly conditions: readonly ResolvedCondition[] | undefined;
  /** Errors for changes of fields that can't change because the item is built in. */
  readonly fixed: Readonly<Record<string, readonly string[]>>;
  /** All errors by field. */
  readonly errors: FieldErrors;
}

const NO_REFERENCES: ResolvedReferences = { columns: {}, lists: {}, errors: {} };

/** Finds and locks the items to change, resolves references and match conditions, and applies the kind's rules. */
export async function resolveRows<Input extends object>(
  em: EntityManager,
  actor: Actor,
  form: ItemForm<Input>,
  writes: readonly ItemWrite<Input>[],
  options: WriteOptions,
): Promise<ResolvedRow<Input>[]> {
  const { kind } = form.table;
  // For files, the import checks the names of all rows together, and holds the lock.
  const takenNames = isUniquelyNamed(kind) && !options.fromFile ? await nameErrors(em, actor, kind, writes) : [];
  const ids = writes.flatMap((write) => ('id' in write ? [write.id] : []));
  const existing = await findItems(em, actor, form, ids);
  const inputs = writes.map((write): Partial<Input> & KnownFields => ('id' in write ? write.changes : write.input));
  const references = await resolveReferences(em, actor, form.references ?? {}, inputs, options.upcoming);
  const rows = writes.map((write, index) => ({
    write,
    input: inputs[index] ?? {},
    references: references[index] ?? NO_REFERENCES,
    version: 'id' in write ? existing.get(write.id) : undefined,
  }));
  const resolved = (await form.resolve?.(em, actor, rows, options)) ?? [];
  const lists = inputs.map((input) => input.match_conditions);
  const conditions = await resolveMatchConditionsOf(em, actor, lists, options);
  const added = lists.reduce((total, list = []) => total + list.length, 0);
  const replaced = rows.flatMap(({ version }, index) => (lists[index] && version ? [version.id] : []));
  const limitError = await conditionLimitError(em, actor, added, replaced);
  return rows.map((row, index) => {
    const exceeding = limitError !== undefined && lists[index]?.length ? [limitError] : undefined;
    const conditionErrors = conditions[index]?.errors ?? exceeding;
    const isBuiltIn = row.version?.isCustom === false;
    const fields = isBuiltIn ? Object.keys(row.input) : [];
    const fixed = fixedFieldErrors(form.builtIn ?? {}, { hasVersions: isCustomizable(kind) }, fields);
    return {
      ...row,
      fixed,
      resolved: resolved[index] ?? {},
      conditions: conditions[index]?.conditions,
      errors: {
        ...row.references.errors,
        ...resolved[index]?.errors,
        ...takenNames[index],
        ...(conditionErrors && { match_conditions: conditionErrors }),
        ...fixed,
      },
    };
  });
}

/** The error that rejects a row, if there is one. */
export function rejectionOf<Input extends object>(
  { table: { kind } }: ItemForm<Input>,
  { write, version, resolved, fixed, errors }: ResolvedRow<Input>,
): DomainError | undefined {
  if ('id' in write && !version) return new NotFound();
  // Without versions, built-in items are closed (403); with versions, only some of their fields are (400).
  const [[reason] = []] = isCustomizable(kind) ? [] : Object.values(fixed);
  if (reason !== undefined) return new Forbidden(reason);
  return resolved.rejection ?? (Object.keys(errors).length ? new Invalid(errors) : undefined);
}

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
