import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, timestampField, urlOf } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idOrder, visible } from '../../library/customization/customization.sql.js';
import { visibleProjectId } from '../project-access/project-visibility.js';
import { projectCountermeasures, publicIdOf } from '../project-countermeasure/project-countermeasure.sql.js';
import { RISK_RATING } from '../../library/weakness/weakness.rules.js';

/** `1-P2` or `P2`. */
const PROJECT_WEAKNESS_ID = /^(?:([1-9]\d{0,17})-)?(C?P[1-9]\d{0,8})$/;

/** Whether a row has this id, which may begin with the project's id. */
const hasId = (id: string): Sql => {
  const [, project, weakness] = PROJECT_WEAKNESS_ID.exec(id) ?? [];
  const hasItemId = sql`item.item_id = ${weakness ?? ''}`;
  return project === undefined ? hasItemId : sql`(${hasItemId} AND item.project_id = ${project}::bigint)`;
};

export const projectWeaknessProjection = projection({
  name: 'ProjectWeakness',
  source: (context) => [
    {
      table: sql`(SELECT pw.project_id, pw.created_at AS entered_at, v.* FROM project_weakness pw
        JOIN weakness_version v ON v.weakness_id = pw.weakness_id
          AND ${visible('weakness', 'v', context.organization)})`,
      where: sql`item.project_id = ${visibleProjectId(context.within, context)}`,
    },
  ],
  key: { shape: PROJECT_WEAKNESS_ID, column: sql`item.item_id`, order: idOrder, matches: hasId },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'P4' }) },
    url: {
      sql: urlOf('library/problems', sql`item.item_id`),
      schema: schema.string({ example: '/library/problems/P4/' }),
    },
    title: column(schema.string(), { filter: 'Its title.', sortable: true }),
    text: column(schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' })),
    risk_rating: column(schema.integer(RISK_RATING), { sortable: true }),
    category: column(schema.string({ example: 'Authentication' }), { filter: 'Its category.' }),
    cwe: { sql: sql`to_json(item.cwes)`, schema: schema.list(schema.integer(), { example: [287, 306] }) },
    tasks: {
      sql: ({ organization }) =>
        jsonList(sql`SELECT ${publicIdOf('t')} AS entry FROM ${projectCountermeasures(organization)} t
          WHERE t.project_id = item.project_id AND t.accepted AND t.weakness_id = item.weakness_id
          ORDER BY t.origin, t.number`),
      schema: schema.list(schema.string(), {
        description: 'Countermeasures of the project that address it.',
        example: ['1-T21'],
      }),
    },
    created: timestampField(sql`item.entered_at`, 'When it was added to the project.'),
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, PROJECT_WEAKNESS_ID),
    cwe: filters.element(sql`item.cwes`, 'Weaknesses with this CWE.', { type: 'integer' }),
    risk_rating: filters.integer(sql`item.risk_rating`, 'Its risk rating.', { ...RISK_RATING, minimum: 0 }),
  },
  orderings: { id: idOrder },
  defaultOrdering: 'id',
  search: { text: sql`item.item_id || E'\\n' || item.title`, fields: ['id', 'title'] },
  switches: ['absolute_urls', 'to_html'],
});
