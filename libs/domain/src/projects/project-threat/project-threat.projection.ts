import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { idOrder, visible } from '../../library/customization/customization.sql.js';
import { visibleProjectId } from '../project-access/project-visibility.js';
import { projectCountermeasures, publicIdOf } from '../project-countermeasure/project-countermeasure.sql.js';
import { COMPLETE } from '../task-status/task-status.rules.js';
import { FRAMEWORK_FIELDS, FRAMEWORKS, SEVERITY } from '../../library/threat/threat.rules.js';
import { identitiesByItemId } from '../../kernel/built-in.sql.js';

const THREAT_STATUSES = ['Mitigated', 'Unmitigated'] as const;

/** `1-TH4` or `TH4`. */
const ID = /^(?:([1-9]\d{0,17})-)?(C?TH[1-9]\d{0,8})$/;

const publicId = sql`(item.project_id || '-' || item.item_id)`;

const hasId = (id: string): Sql => {
  const [, project, threat] = ID.exec(id) ?? [];
  const hasItemId = sql`item.item_id = ${threat ?? ''}`;
  return project === undefined ? hasItemId : sql`(${hasItemId} AND item.project_id = ${project}::bigint)`;
};

/** The accepted countermeasures `t` of the project for the weaknesses that a threat exploits. */
const countermeasures = ({ organization }: QueryContext): Sql =>
  sql`${projectCountermeasures(organization)} t
    WHERE t.project_id = item.project_id AND t.accepted AND t.weakness_id = ANY(item.problems)`;

/** A threat without countermeasures is not mitigated. */
const status = (context: QueryContext): Sql =>
  sql`(SELECT CASE WHEN count(*) > 0 AND bool_and(t.status_id = ${COMPLETE}) THEN 'Mitigated' ELSE 'Unmitigated' END
    FROM ${countermeasures(context)})`;

export const projectThreatProjection = projection({
  name: 'ProjectThreat',
  source: (context) => [
    {
      table: sql`(SELECT pt.project_id, pt.created_at AS entered_at, v.* FROM project_threat pt
        JOIN threat_version v ON v.threat_id = pt.threat_id AND ${visible('threat', 'v', context.organization)})`,
      where: sql`item.project_id = ${visibleProjectId(context.within, context)}`,
    },
  ],
  key: { shape: ID, column: publicId, order: idOrder, matches: hasId },
  fields: {
    id: { sql: publicId, schema: schema.string({ example: '1-TH4' }) },
    threat_id: {
      sql: sql`item.item_id`,
      schema: schema.string({ description: 'The threat of the library.', example: 'TH4' }),
    },
    title: column(schema.string(), { filter: 'Its title.', sortable: true }),
    text: column(schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' })),
    severity: column(schema.integer({ ...SEVERITY, description: '10 is the most severe.' }), {
      filter: 'Its severity.',
      sortable: true,
    }),
    status: {
      sql: status,
      schema: schema.string({
        description: 'Mitigated when all countermeasures of its weaknesses that the project has are complete.',
        enum: THREAT_STATUSES,
      }),
    },
    problems: {
      sql: jsonList(sql`SELECT w.item_id AS entry FROM unnest(item.problems) WITH ORDINALITY listed(id, ordinal)
        JOIN weakness w ON w.id = listed.id
        JOIN project_weakness pw ON pw.weakness_id = w.id AND pw.project_id = item.project_id
          ORDER BY listed.ordinal`),
      schema: schema.list(schema.string(), {
        description: 'Weaknesses of the project that it exploits.',
        example: ['P4'],
      }),
    },
    tasks: {
      sql: (context) =>
        jsonList(sql`SELECT ${publicIdOf('t')} AS entry FROM ${countermeasures(context)} ORDER BY t.origin, t.number`),
      schema: schema.list(schema.string(), {
        description: 'Countermeasures of the project that mitigate it.',
        example: ['1-T21'],
      }),
    },
    capecs: {
      sql: sql`to_json(item.capecs)`,
      schema: schema.list(schema.integer(), { description: 'Numbers of attack patterns.', example: [66, 108] }),
    },
    ...Object.fromEntries(
      FRAMEWORK_FIELDS.map((field) => [
        field,
        {
          sql: sql`to_json(${sql.ref(`item.${field}`)})`,
          schema: schema.list(schema.string(), {
            description: `Ids of entries of the framework ${FRAMEWORKS[field]}.`,
          }),
        },
      ]),
    ),
    created: timestampField(sql`item.entered_at`, 'When it was added to the project.'),
  },
  filters: {
    id: filters.publicId(publicId, ID),
    problem: filters.related(
      'Threats that exploit this weakness.',
      (ids, context) =>
        ids === null
          ? sql`cardinality(item.problems) > 0`
          : sql`item.problems && ARRAY(${identitiesByItemId('weakness')(ids, context)})`,
      { shape: idShape('weakness') },
    ),
    status: filters.choice(status, 'Whether it is mitigated.', THREAT_STATUSES),
    threat_id: filters.publicId(sql`item.item_id`, idShape('threat'), 'Its id in the library.'),
  },
  orderings: { id: idOrder, status: [status] },
  defaultOrdering: 'id',
  search: { text: sql`item.item_id || E'\\n' || item.title`, fields: ['threat_id', 'title'] },
  switches: ['to_html'],
});
