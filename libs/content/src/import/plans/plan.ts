import type { EntityManager, EntitySchema } from '@mikro-orm/postgresql';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import type { Actor } from '#domain/kernel/actor.js';
import type { Kind } from '#domain/kernel/item-id.js';
import type { Version } from '#domain/library/customization/customization.commands.js';
import type { ItemCommand } from '#domain/library/item-batch/write-items.js';
import type { FieldPlan } from './field-plan.js';

/** How a model's rows are imported. */
export interface Plan {
  readonly kind: Kind;
  /** The command that makes and changes items, whose input has the names of the model's columns. */
  readonly write: ItemCommand<never>;
  /** What is particular about fields beyond what follows from their types. */
  readonly fields?: Readonly<Record<string, FieldPlan>>;
  /** The field that switches items on and off, and its value for off. */
  readonly switch?: { readonly field: string; readonly off: boolean };
  /** Of content that an organization changes for itself: the form of its versions. */
  readonly version?: EntitySchema<Version>;
  /** What of built-in content an organization can change, where it has no versions: nothing, or these fields. */
  readonly ofBuiltIn?: readonly string[];
  /** Why a change of the other fields of built-in content is refused. */
  readonly refusal?: string;
  /** Fields of built-in content that never change, in versions neither, and why. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Fields of built-in content that follow from something else there, and are not taken. */
  readonly givenByProduct?: readonly string[];
  /** The lock that the command takes for its rules that span several items, besides that for unique names. */
  readonly lock?: (em: EntityManager, actor: Actor) => Promise<void>;
  /** The field that names what an item exists within; it never changes. */
  readonly owner?: string;
}

export type Plans = Readonly<Partial<Record<ContentModel, Plan>>>;

/** Every kind's versions have what the overlay needs of them. */
export const version = (entity: unknown) => entity as EntitySchema<Version>;

export const active = { field: 'active', off: false } as const;
