import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, jsonObject } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { MAPPING_STRENGTHS } from '../item-reference/item-reference.rules.js';
import { identityOrder, builtInOrCustom, identitiesByItemId } from '../../kernel/built-in.sql.js';

/** The mappings of sections to countermeasures that the organization sees; `c` is the row of `countermeasure`. */
export const mappedCountermeasures = (context: Pick<QueryContext, 'organization'>): Sql =>
  sql`regulation_section_countermeasure n JOIN countermeasure c ON c.id = n.countermeasure_id
    WHERE n.section_id = item.id AND ${builtInOrCustom('c', context)}`;

const names = (ids: readonly string[] | null, context: QueryContext): Sql =>
  sql`EXISTS (SELECT 1 FROM ${mappedCountermeasures(context)} ${
    ids === null ? sql`` : sql`AND c.id IN (${identitiesByItemId('countermeasure')(ids, context)})`
  })`;

const mappings = (context: QueryContext): Sql =>
  jsonList(sql`
    SELECT ${jsonObject({ countermeasure: sql`c.item_id`, strength: sql`n.strength`, why: sql`n.why` })} AS entry
    FROM ${mappedCountermeasures(context)} ORDER BY c.organization_id IS NOT NULL, c.number`);

/** The condition that the section `item` belongs to the regulation with this public id. */
export const inRegulation = (id: string, context: Pick<QueryContext, 'organization'>): Sql => {
  // Paths may contain text that the database does not accept, so anything without the shape of an id is dropped.
  const regulation = [id].filter((one) => idShape('regulation').test(one));
  return sql`${builtInOrCustom('item', context)}
    AND item.regulation_id IN (${identitiesByItemId('regulation')(regulation, context)})`;
};

/** The read side of a regulation's sections, within their regulation. */
export const regulationSectionProjection = projection({
  name: 'RegulationSection',
  source: (context) => [{ table: sql.table('regulation_section'), where: inRegulation(context.within, context) }],
  key: { shape: idShape('regulation_section'), column: sql`item.item_id`, order: identityOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'RS1' }) },
    code: column(schema.string({ example: 'A01:2021' }), { filter: 'Its code in the regulation.', sortable: true }),
    title: column(schema.string(), { filter: 'Its title.', sortable: true }),
    ordinal: column(schema.integer({ description: 'Position in the regulation.' }), {
      filter: 'Its position in the regulation.',
      sortable: true,
    }),
    level: column(
      schema.nullable(
        schema.integer({
          description: 'The lowest level that requires it, such as 1 to 3 in OWASP ASVS; null without levels.',
        }),
      ),
      { filter: 'The lowest level that requires it.', sortable: true },
    ),
    active: column(schema.boolean({ description: 'False if a newer file of the same edition no longer has it.' }), {
      filter: 'Whether its edition still has it.',
    }),
    countermeasures: {
      sql: (context) =>
        sql`(SELECT coalesce(json_agg(c.item_id ORDER BY c.organization_id IS NOT NULL, c.number), '[]')
          FROM ${mappedCountermeasures(context)})`,
      schema: schema.list(schema.string({ example: 'T21' }), {
        description: 'Ids of the countermeasures that are mapped to the section.',
      }),
    },
  },
  includes: {
    mappings: {
      mappings: {
        sql: mappings,
        schema: schema.list(
          schema.object({
            countermeasure: schema.string({ example: 'T21' }),
            strength: schema.string({
              enum: MAPPING_STRENGTHS,
              description:
                '`full`: it satisfies the section. `partial`: one of several that are needed. `supports`: evidence ' +
                'for it.',
            }),
            why: schema.string({ description: 'The reason, in one sentence.' }),
          }),
          { description: 'How much of the section each of its countermeasures satisfies.' },
        ),
      },
    },
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('regulation_section')),
    countermeasure: filters.related('Sections that this countermeasure is mapped to.', names, {
      shape: idShape('countermeasure'),
    }),
  },
  orderings: {
    id: identityOrder,
  },
  defaultOrdering: 'ordinal',
  search: { text: sql`item.code || E'\\n' || item.title`, fields: ['code', 'title'] },
});
