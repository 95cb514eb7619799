import type { EntityManager } from '@mikro-orm/postgresql';
import type { ActivitySubject } from '../../activity/activities.js';
import type { ActivityInput } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import type { DomainError, FieldErrors } from '../../kernel/domain-errors.js';
import type { ChangedItem, ColumnValue, ItemTable } from '../../kernel/items/item-rows.js';
import type { Kind } from '../../kernel/item-id.js';
import type { ItemWrite } from '../../kernel/items/item-write.js';
import type { ConditionOfFile } from '../match-condition/match-condition.commands.js';
import type { BuiltInRules } from './built-in-rules.js';
import type { ExistingItem } from './existing-items.js';
import type { ResolvedReferences, ReferenceFields, Upcoming } from './references.js';

/** Fields that `writeItems` treats specially; some kinds lack some of them. */
export interface KnownFields {
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
  readonly references: ResolvedReferences;
}

/** The result of a kind's own rules for a row. */
export interface ResolvedItem {
  /** Columns that differ from the field of the same name; undefined if not given. */
  readonly columns?: Readonly<Record<string, ColumnValue | undefined>>;
  /** Errors by field. */
  readonly errors?: FieldErrors;
  /** An error that does not belong to a field. */
  readonly rejection?: DomainError | undefined;
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
  readonly builtIn?: BuiltInRules;
  /** For kinds without versions: changes built-in items for the actor's organization, as far as they are changeable. */
  readonly changeBuiltIn?: (em: EntityManager, actor: Actor, items: readonly ChangedItem[]) => Promise<void>;
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

/** Creates and changes items of a kind; returns their public ids. Throws `RejectedRows`. */
export type ItemCommand<Input> = (
  em: EntityManager,
  actor: Actor,
  writes: readonly ItemWrite<Input>[],
  options?: WriteOptions,
) => Promise<string[]>;
