import type { EntityManager, EntitySchema } from '@mikro-orm/postgresql';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import type { Actor } from '#domain/kernel/actor.js';
import type { Forbidden } from '#domain/kernel/domain-errors.js';
import type { Kind } from '#domain/kernel/item-id.js';
import { versionsToChange } from '#domain/library/customization/customization.commands.js';
import type { BuiltInRules } from '#domain/library/item-batch/built-in-rules.js';
import type { CustomizableKind } from '#domain/library/customization/customization.sql.js';
import type { ItemCommand } from '#domain/library/item-batch/item-form.js';
import type { RowValues } from '#files/cell-value.js';
import type { FieldPlan } from './field-plan.js';

/** How the rows of a model are imported. */
export interface Plan {
  readonly kind: Kind;
  /** The command that creates and changes items. Its input uses the names of the model's columns. */
  readonly write: ItemCommand<never>;
  /** Fields that need more than their type defines. */
  readonly fields?: Readonly<Record<string, FieldPlan>>;
  /** For customizable content: creates the organization's versions of built-in items, by public id, and locks them. */
  readonly customize?: (em: EntityManager, actor: Actor, ids: readonly string[]) => Promise<unknown>;
  readonly builtIn?: BuiltInRules;
  /** The command's rule for values that take a feature flag: the error, if the flag is off. */
  readonly flagError?: (actor: Actor, values: RowValues, isNew: boolean) => Forbidden | undefined;
  /** Fields that are computed for built-in content, and ignored by an import. */
  readonly computedIfBuiltIn?: readonly string[];
  /** Takes the command's lock for rules that span several items, other than unique names. */
  readonly lock?: (em: EntityManager, actor: Actor) => Promise<void>;
  /** The field that refers to the item's owner, such as the countermeasure of a how-to. It never changes. */
  readonly owner?: string;
}

/** What is declared for each model. Its kind and the plans of other fields follow from the model. */
export type Plans = Readonly<Partial<Record<ContentModel, Omit<Plan, 'kind'>>>>;

/** Customizes items of a kind with a table of versions. */
export const customizing =
  (kind: CustomizableKind, entity: EntitySchema): Plan['customize'] =>
  (em, actor, ids) =>
    versionsToChange(em, actor, kind, entity, ids);
