import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import type { QueryContext } from '#query/query-context.js';
import { type Fields, projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { userObject, userReferenceSchema } from '../../access/user/user-reference.js';
import { ANALYSIS_TYPES, BEHAVIOURS, CONFIDENCES, VERIFICATIONS } from './project-countermeasure.rules.js';
import { projectCountermeasures, publicIdOf, visibleCountermeasureId } from './project-countermeasure.sql.js';
import { times } from '../../access/user/authorship.projection.js';

const ofCountermeasure = (table: string) => (context: QueryContext) => [
  { table: sql.table(table), where: sql`item.project_countermeasure_id = ${visibleCountermeasureId(context)}` },
];

const key = { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true };

const commonFields: Fields = {
  ...times.fields,
  updater: {
    sql: userObject(sql`item.updated_by`),
    schema: schema.nullable({ ...userReferenceSchema, description: 'Who wrote it last.' }),
  },
  task: {
    sql: ({ organization }: QueryContext) =>
      sql`(SELECT ${publicIdOf('t')} FROM ${projectCountermeasures(organization)} t
        WHERE t.id = item.project_countermeasure_id)`,
    schema: schema.string({ description: 'The countermeasure that it belongs to.', example: '1-T21' }),
  },
};

const orderings = { id: key.order, ...times.orderings };

/** The notes on a project's countermeasure. */
export const noteProjection = projection({
  name: 'Note',
  source: ofCountermeasure('project_countermeasure_note'),
  key,
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.' }),
    text: column(schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' })),
    automatic: column(schema.boolean({ description: 'Whether the service wrote it.' }), {
      filter: true,
    }),
    ...commonFields,
  },
  filters: times.filters,
  orderings,
  defaultOrdering: 'id',
  search: { text: sql`item.text`, fields: ['text'] },
  switches: ['to_html'],
});

/** The id of the analysis run; null for a manual verification. */
const session = sql`nullif(item.analysis_session, '')`;

/** The analysis notes of a project's countermeasure. */
export const analysisNoteProjection = projection({
  name: 'AnalysisNote',
  source: ofCountermeasure('project_countermeasure_analysis'),
  key,
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.' }),
    status: column(schema.string({ description: 'The verification result.', enum: VERIFICATIONS }), {
      filter: true,
    }),
    behaviour: column(
      schema.string({
        description: 'Whether it replaces earlier results, or is combined with them.',
        enum: BEHAVIOURS,
      }),
    ),
    confidence: column(schema.string({ description: 'How confident the analysis is.', enum: CONFIDENCES }), {
      filter: true,
    }),
    findings: column(
      schema.list(
        schema.object({ desc: schema.string({ example: 'SQL injection' }), count: schema.integer({ example: 2 }) }),
        { description: 'What was found, and how often.' },
      ),
    ),
    finding_ref: column(
      schema.string({ description: 'Where the findings can be seen.', example: 'https://scan.example.com/7' }),
    ),
    findings_ref: {
      sql: sql`item.finding_ref`,
      schema: schema.string({ deprecated: true, description: 'Another name of `finding_ref`.' }),
    },
    analysis_session: {
      sql: session,
      schema: schema.nullable(
        schema.string({
          description: 'Id of the analysis run; null for a manual verification.',
          example: 'nightly-42',
        }),
      ),
    },
    analysis_type: {
      sql: sql`CASE WHEN ${session} IS NULL THEN ${JSON.stringify(ANALYSIS_TYPES.manual)}
        ELSE ${JSON.stringify(ANALYSIS_TYPES.automated)} END::json`,
      schema: schema.object(
        {
          slug: schema.string({ enum: Object.values(ANALYSIS_TYPES).map(({ slug }) => slug) }),
          name: schema.string({ example: ANALYSIS_TYPES.automated.name }),
        },
        { description: 'Whether it comes from an analysis or a person.' },
      ),
    },
    ...commonFields,
  },
  filters: {
    analysis_session: filters.text(session, 'Id of the analysis run.'),
    ...times.filters,
  },
  orderings: { ...orderings, status: [sql`array_position(${[...VERIFICATIONS]}::text[], item.status)`] },
  defaultOrdering: 'id',
  search: {
    text: sql`item.analysis_session || E'\\n' || item.finding_ref`,
    fields: ['analysis_session', 'finding_ref'],
  },
});
