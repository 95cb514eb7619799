import type { EntitySchema } from '@mikro-orm/postgresql';
import type { ActivitySubject } from '#domain/activity/activities.js';
import type { ItemTable } from '#domain/kernel/item-batch.commands.js';
import type { Kind } from '#domain/kernel/item-id.js';
import type { Version } from '#domain/library/customization/customization.commands.js';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { relatedTables, type FieldPlan, plain } from './field-plan.js';
import * as nested from './nested-values.js';

/** How a model's rows are imported. */
export interface Plan {
  readonly kind: Kind;
  /** What its activities are about. */
  readonly subject: ActivitySubject;
  readonly fields: Readonly<Record<string, FieldPlan>>;
  /** The field that items are called by. */
  readonly title: string;
  /** The field that switches items on and off, and its value for off. */
  readonly switch?: { readonly field: string; readonly off: boolean };
  /** Of content that an organization changes for itself: the form of its versions. */
  readonly version?: EntitySchema<Version>;
  /** What of shipped content an organization can change, where it has no versions: nothing, or these fields. */
  readonly ofBuiltIn?: readonly string[];
  /** Why a change of the other fields of shipped content is refused. */
  readonly refusal?: string;
  /** Fields of shipped content that never change, in versions neither, and why. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Fields of shipped content that follow from something else there, and are not taken. */
  readonly givenByProduct?: readonly string[];
  /** The field that names what an item exists within; it never changes. */
  readonly owner?: string;
  /** The column that a place among others is kept in, and the one that says among which. */
  readonly ordinal?: { readonly within?: string };
  /** The field that a slug is made from where none is given. */
  readonly slugOf?: string;
  readonly stamps?: ItemTable['stamps'];
}

export type Plans = Readonly<Partial<Record<ContentModel, Plan>>>;

/** Every kind's versions have what the overlay needs of them. */
export const version = (entity: unknown) => entity as EntitySchema<Version>;

export const active = { field: 'active', off: false } as const;
export const activeField = plain('active', 'boolean', true);
export const longText = plain('text', 'text', '');
export const description = plain('description', 'text', '');
export const ordinal = plain('ordinal', 'integer');
export const conditions = relatedTables({
  normal: nested.matchConditions,
  refersTo: nested.conditionReferences,
  otherwise: [],
});

/** The table that a plan writes to. */
export const tableOf = ({ kind, version: entity, fields, stamps }: Plan): ItemTable => ({
  kind,
  customizable: entity !== undefined,
  columns: Object.assign({}, ...Object.values(fields).map(({ columns }) => columns)) as ItemTable['columns'],
  ...(stamps && { stamps }),
});
