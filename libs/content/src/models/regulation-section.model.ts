import { sql } from 'kysely';
import { identityOrder, shippedAndOwn } from '#domain/overlay/shipped.sql.js';
import { jsonList } from '#query/expressions.js';
import { integer, list, text } from './columns.js';
import { modelOfColumns } from './content-model.js';

export const regulationSectionModel = modelOfColumns({
  name: 'regulation_section',
  title: 'Sections of regulations',
  source: shippedAndOwn('regulation_section'),
  order: identityOrder,
  columns: {
    id: { ...text('Such as `RS4`.'), sql: sql`item.item_id` },
    regulation: {
      ...text('The regulation that it belongs to.', { references: 'regulation' }),
      sql: sql`(SELECT r.item_id FROM regulation r WHERE r.id = item.regulation_id)`,
    },
    code: { ...text('How the regulation numbers it.'), sql: sql`item.code` },
    title: { ...text(''), sql: sql`item.title` },
    ordinal: { ...integer('Place in the regulation.'), sql: sql`item.ordinal` },
    tasks: {
      ...list('The countermeasures that it names.', { references: 'standard' }),
      sql: ({ organization }) =>
        jsonList(sql`SELECT c.item_id AS entry
          FROM regulation_section_countermeasure n JOIN countermeasure c ON c.id = n.countermeasure_id
          WHERE n.section_id = item.id AND (c.organization_id IS NULL OR c.organization_id = ${organization})
          ORDER BY c.organization_id NULLS FIRST, c.number`),
    },
  },
});
