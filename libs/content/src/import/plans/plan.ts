import type { EntityManager, EntitySchema } from '@mikro-orm/postgresql';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import type { Actor } from '#domain/kernel/actor.js';
import type { Kind } from '#domain/kernel/item-id.js';
import type { Version } from '#domain/library/customization/customization.commands.js';
import type { ItemCommand } from '#domain/library/item-batch/item-form.js';
import type { FieldPlan } from './field-plan.js';

/** How the rows of a model are imported. */
export interface Plan {
  readonly kind: Kind;
  /** The command that creates and changes items. Its input uses the names of the model's columns. */
  readonly write: ItemCommand<never>;
  /** Fields that need more than their type defines. */
  readonly fields?: Readonly<Record<string, FieldPlan>>;
  /** The field that activates and deactivates items, and its value for inactive. */
  readonly activation?: { readonly field: string; readonly off: boolean };
  /** The entity of an organization's versions, for customizable content. */
  readonly version?: EntitySchema<Version>;
  /** The fields of built-in content that an organization can change, for content without versions. */
  readonly changeableIfBuiltIn?: readonly string[];
  /** The error message for changes to other fields of built-in content. */
  readonly refusal?: string;
  /** Fields that never change in built-in content, not even by customizing it, with the error message. */
  readonly immutable?: Readonly<Record<string, string>>;
  /** Fields that are computed for built-in content, and ignored by an import. */
  readonly computedIfBuiltIn?: readonly string[];
  /** Takes the command's lock for rules that span several items, other than unique names. */
  readonly lock?: (em: EntityManager, actor: Actor) => Promise<void>;
  /** The field that refers to the item's owner, such as the countermeasure of a how-to. It never changes. */
  readonly owner?: string;
}

export type Plans = Readonly<Partial<Record<ContentModel, Plan>>>;

/** All version entities have the columns of `Version`, which TypeScript can't infer for a union of them. */
export const version = (entity: unknown) => entity as EntitySchema<Version>;

export const active = { field: 'active', off: false } as const;
