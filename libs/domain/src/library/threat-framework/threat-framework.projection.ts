import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, jsonObject } from '#query/expressions.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { visible } from '../customization/customization.sql.js';
import { sharedByAll } from '../../kernel/built-in.sql.js';
import { FRAMEWORK_FIELDS, FRAMEWORKS } from '../threat/threat.rules.js';

/** The column of threats that references entries of the framework in `item`; null for other frameworks. */
const namingColumn = sql`CASE item.slug ${sql.join(
  FRAMEWORK_FIELDS.map((field) => sql`WHEN ${FRAMEWORKS[field]} THEN ${sql.ref(`t.${field}`)}`),
  sql` `,
)} END`;

/**
 * The entries of the framework in `item`, in its own order, each with the threats that reference it. Threats are read
 * once for all entries.
 */
const entries = ({ organization }: QueryContext): Sql =>
  jsonList(sql`SELECT ${jsonObject({
    id: sql`e.entry_id`,
    name: sql`e.name`,
    url: sql`e.url`,
    domain: sql`e.domain`,
    active: sql`e.active`,
    threats: sql`coalesce(n.threats, '[]'::json)`,
  })} AS entry
    FROM threat_framework_entry e
    LEFT JOIN (
      SELECT named.entry_id, json_agg(t.item_id ORDER BY t.is_custom, t.number) AS threats
      FROM threat_version t, unnest(${namingColumn}) named(entry_id)
      WHERE ${visible('threat', 't', organization)} GROUP BY named.entry_id
    ) n ON n.entry_id = e.entry_id
    WHERE e.framework_id = item.id ORDER BY e.position`);

export const threatFrameworkProjection = projection({
  name: 'ThreatFramework',
  source: sharedByAll('threat_framework'),
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.', sortable: true }),
    slug: column(schema.string({ example: 'stride' }), { filter: 'Its slug.' }),
    name: column(schema.string({ example: 'STRIDE' }), { filter: 'Its name.', sortable: true }),
    version: column(schema.string({ description: 'Empty if it has none.' })),
    url: column(schema.string()),
    entries_count: {
      sql: sql`(SELECT count(*) FROM threat_framework_entry e WHERE e.framework_id = item.id AND e.active)`,
      schema: schema.integer({ description: 'How many active entries it has.', example: 6 }),
    },
  },
  includes: {
    entries: {
      entries: {
        sql: entries,
        schema: schema.list(
          schema.object({
            id: schema.string({ description: 'The id that threats refer to it by.', example: 'S' }),
            name: schema.string({ example: 'Spoofing' }),
            url: schema.string(),
            domain: schema.string({ description: 'Its part of the framework; empty without parts.', example: 'ICS' }),
            active: schema.boolean({ description: 'False if the latest edition no longer has it.' }),
            threats: schema.list(schema.string({ example: 'TH4' }), { description: 'Threats that refer to it.' }),
          }),
        ),
      },
    },
  },
  orderings: {},
  defaultOrdering: 'id',
  search: { text: sql`item.name`, fields: ['name'] },
});
