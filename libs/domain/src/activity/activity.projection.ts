import { sql } from 'kysely';
import { column } from '#query/column.js';
import { timestampField } from '#query/expressions.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { type Declaration, projection, type Range } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../kernel/item-id.js';
import { ACTIVITIES, CLAIMS, LOG_LEVELS } from './activities.js';
import { escapeMarkdown } from './activity.js';
import { activityFilters, filteredRanges } from './activity.filters.js';
import { CREDENTIALS } from './request-source.js';

const activityTable = sql.table('activity');

/**
 * The condition that an activity belongs to the caller's organization, and, with a token that is limited to projects,
 * to one of these.
 */
export const ofOrganization = ({ organization, projects }: QueryContext): Sql =>
  projects === undefined
    ? sql`item.organization_id = ${organization}`
    : sql`(item.organization_id = ${organization}
        AND (item.data ->> 'project') = ANY(${projects.map(String)}::text[]))`;

/** A stream of the activities in `ranges`, with the fields and filters of all activity streams. */
export const activityStream = (name: string, ranges: (context: QueryContext) => readonly Range[]) =>
  projection({
    name: 'Activity',
    source: (context) => [{ table: activityTable, where: ofOrganization(context) }],
    key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
    fields: {
      id: column(schema.integer({ example: 4711 })),
      name: column(schema.string({ description: 'What happened.', example: 'UpdatedStandardActivity' })),
      actor: {
        sql: sql`item.actor_id`,
        schema: schema.nullable(
          schema.integer({ description: 'The user who did it; null for the command line.', example: 7 }),
        ),
      },
      text: column(
        schema.markdown({
          description: 'The activity as a sentence.',
          example: '*Ada Lovelace* updated countermeasure *Hash passwords*',
        }),
      ),
      date: timestampField(sql`item.occurred_at`, 'When it happened.'),
      data: {
        sql: ({ may }) => (may('manage_users') ? sql`item.data` : sql`(item.data - ${sql.lit(CLAIMS)})`),
        schema: {
          type: 'object',
          additionalProperties: true,
          description: 'Ids of the items that it is about, each with its title or name at that time as `<key>_desc`.',
          example: { standard: 'T21', standard_desc: 'Hash passwords' },
        },
      },
      icon: column(schema.string({ example: ACTIVITIES.countermeasure.icon })),
      log_level: column(
        schema.string({
          enum: LOG_LEVELS,
          description: '`admin` for actions that only administrators can take.',
        }),
      ),
      source: column(
        schema.nullable(
          schema.object(
            {
              request_id: schema.string({ description: 'The `X-Request-Id` of the response.', example: 'deploy-42' }),
              address: schema.nullable(schema.string({ description: "The client's address.", example: '192.0.2.7' })),
              credential: schema.nullable(
                schema.string({
                  enum: CREDENTIALS,
                  description: 'How the caller was authenticated; null for requests without a credential.',
                }),
              ),
              token: schema.nullable(schema.string({ description: "The token's public id.", example: 'Yb3kP0aQ' })),
            },
            { description: 'The request that caused it; null for jobs and the command line.' },
          ),
        ),
      ),
    },
    filters: activityFilters,
    orderings: {},
    defaultOrdering: '-date',
    search: {
      text: sql`(item.name || E'\\n' || item.text)`,
      fields: ['name', 'text'],
      alternativeForm: escapeMarkdown,
    },
    stream: {
      name,
      table: activityTable,
      at: sql`item.occurred_at`,
      id: sql`item.id`,
      transaction: sql`item.transaction_id`,
      ranges,
      defaultSize: 100,
      maximumSize: 1000,
    },
  } satisfies Declaration);

/** All activities of the organization. */
export const activityProjection = activityStream('activities', (context) =>
  filteredRanges(ofOrganization(context), context),
);
