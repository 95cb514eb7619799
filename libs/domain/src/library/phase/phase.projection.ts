import { sql } from 'kysely';
import { jsonObject } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { Sql } from '#query/query-context.js';
import { type Fields, projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { PHASE_ORDINAL } from './phase.fields.js';
import { identityDbId, identityOrder, builtInAndCustom } from '../../kernel/built-in.sql.js';

const fieldsOf = (alias: string): Fields => {
  const column = (name: string): Sql => sql.ref(`${alias}.${name}`);
  return {
    id: { sql: column('item_id'), schema: schema.string({ example: 'X3' }) },
    db_id: { sql: identityDbId(alias), schema: schema.integer() },
    name: { sql: column('name'), schema: schema.string({ example: 'Development' }) },
    slug: { sql: column('slug'), schema: schema.string({ example: 'development' }) },
    description: { sql: column('description'), schema: schema.string() },
    tip: { sql: column('tip'), schema: schema.string() },
    ordinal: {
      sql: column('ordinal'),
      schema: schema.integer({ ...PHASE_ORDINAL, description: 'Position in the order of phases.' }),
    },
    active: { sql: column('active'), schema: schema.boolean() },
    is_custom: { sql: sql`${column('organization_id')} IS NOT NULL`, schema: schema.boolean() },
    retain: {
      sql: column('retain'),
      schema: schema.boolean({ description: 'For compatibility with clients only: has no effect on projects.' }),
    },
  };
};

/** A phase as an object, for expands; `alias` is a row of `phase`. */
export const phaseObject = (alias: string): Sql =>
  jsonObject(Object.fromEntries(Object.entries(fieldsOf(alias)).map(([name, field]) => [name, field.sql as Sql])));

export const phaseSchema = schema.object(
  Object.fromEntries(Object.entries(fieldsOf('item')).map(([name, field]) => [name, field.schema])),
);

export const phaseProjection = projection({
  name: 'Phase',
  source: builtInAndCustom('phase'),
  key: { shape: idShape('phase'), column: sql`item.item_id`, order: identityOrder },
  fields: fieldsOf('item'),
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('phase')),
    name: filters.text(sql`item.name`, 'Its name.'),
    slug: filters.text(sql`item.slug`, 'Its slug.'),
    ordinal: filters.integer(sql`item.ordinal`, 'Its position in the order of phases.'),
    retain: filters.boolean(sql`item.retain`, 'Whether it is marked as retained.'),
    active: filters.boolean(sql`item.active`, 'Whether it is in use.'),
    is_custom: filters.boolean(sql`(item.organization_id IS NOT NULL)`, 'Whether the organization created it.'),
  },
  orderings: {
    id: identityOrder,
    name: [sql`lower(item.name)`],
    slug: [sql`item.slug`],
    ordinal: [sql`item.ordinal`],
    active: [sql`item.active`],
  },
  defaultOrdering: 'ordinal',
  search: { text: sql`item.name`, fields: ['name'] },
});
