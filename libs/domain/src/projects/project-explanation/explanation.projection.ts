import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, jsonObject } from '#query/expressions.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { type Field, projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { ATTRIBUTE_MODE } from '../../library/match-condition/match-condition.projection.js';
import { visibleProjectId } from '../project-access/project-visibility.js';
import { SOURCE_TYPES } from '../project-attribute/project-attribute.rules.js';
import { PROJECT_COUNTERMEASURE_ID } from '../project-countermeasure/project-countermeasure.rules.js';
import { hasId, publicIdOf } from '../project-countermeasure/project-countermeasure.sql.js';
import { componentsOf, explainedCountermeasures, explainedConditions, reasons, weaknessOf } from './explanation.sql.js';

const REASONS = [
  'project',
  'manual',
  'inactive',
  'weakness',
  'level',
  'no_conditions',
  'condition',
  'component',
  'library',
];

const sources = schema.list(
  schema.object({
    type: schema.string({ enum: SOURCE_TYPES }),
    ref: schema.string({ description: 'The answer or component that added it; empty if a user did.' }),
  }),
);

const listedItems = schema.list(
  schema.object(
    {
      id: schema.string({ example: 'A12' }),
      text: schema.string(),
      question: schema.object(
        { id: schema.string({ example: 'Q7' }), text: schema.string() },
        { description: 'Of answers: the question that they answer.' },
      ),
      present: schema.boolean({ description: 'Whether the project has it.' }),
      sources: { ...sources, description: 'Of attributes: why the project has it.' },
    },
    { required: ['id', 'text', 'present'] },
  ),
);

const conditionsSchema = schema.list(
  schema.object({
    id: schema.string({ example: 'MC7' }),
    db_id: schema.integer(),
    holds: schema.boolean({
      description: 'Whether it holds: the project has all that it requires and nothing that it excludes.',
    }),
    required: listedItems,
    excluded: listedItems,
  }),
  { description: 'One that holds is enough; without any, it applies wherever its weakness does.' },
);

/** A column of the countermeasure in the project; false if the project does not have it. */
const projectColumn = (column: string, description: string): Field => ({
  sql: sql`coalesce((SELECT ${sql.ref(`pc.${column}`)} FROM project_countermeasure pc
    WHERE pc.id = item.held_id), false)`,
  schema: schema.boolean({ description }),
});

const componentList =
  (which: 'introduces' | 'implements') =>
  (context: QueryContext): Sql =>
    jsonList(sql`
      SELECT ${jsonObject({ id: sql`c.item_id`, title: sql`c.title`, in_project: sql`c.in_project` })} AS entry
      FROM ${componentsOf(context)} c WHERE ${sql.ref(`c.${which}`)} ORDER BY c.is_custom, c.number`);

const componentsSchema = (description: string) =>
  schema.list(
    schema.object({ id: schema.string({ example: 'SC4' }), title: schema.string(), in_project: schema.boolean() }),
    { description },
  );

/** Explains why a countermeasure is in a project, or is not. It includes every countermeasure of the library. */
export const explanationProjection = projection({
  name: 'CountermeasureExplanation',
  source: (context) => [
    { table: explainedCountermeasures(visibleProjectId(context.within, context), context), where: sql`true` },
  ],
  key: { shape: PROJECT_COUNTERMEASURE_ID, column: publicIdOf('item'), order: [sql`item.task_id`], matches: hasId },
  fields: {
    id: { sql: publicIdOf('item'), schema: schema.string({ example: '1-T2' }) },
    task_id: column(schema.string({ example: 'T2' })),
    title: column(schema.string()),
    relevant: projectColumn('relevant', 'Whether it is in the project.'),
    relevant_via_survey: projectColumn('relevant_via_survey', 'Whether conditions or components add it.'),
    accepted: projectColumn('accepted', 'Whether the project has accepted it.'),
    manually_added: projectColumn('manually_added', 'Whether it was added manually.'),
    active: column(schema.boolean({ description: 'Whether it is active in the library.' })),
    matched_by: {
      sql: ({ flags }) => sql`${flags.has(ATTRIBUTE_MODE) ? 'attributes' : 'answers'}::text`,
      schema: schema.string({ enum: ['answers', 'attributes'], description: 'What match conditions are based on.' }),
    },
    reasons: {
      sql: (context) => jsonList(reasons(context)),
      schema: schema.list(
        schema.object({
          effect: schema.string({
            enum: ['in', 'out', 'pending'],
            description: 'Whether it includes or excludes the countermeasure, or has yet to take effect.',
          }),
          type: schema.string({ enum: REASONS }),
          ref: schema.nullable(schema.string({ description: 'The condition, component or weakness.', example: 'MC7' })),
          text: schema.string({
            example: 'Applies because "PostgreSQL" (A64) was answered to "Which databases does it use?".',
          }),
        }),
        { description: 'What includes it and what excludes it, in words.' },
      ),
    },
    conditions: {
      sql: (context) => explainedConditions('countermeasure', sql`item.version_id`, context),
      schema: conditionsSchema,
    },
    weakness: {
      sql: (context) =>
        weaknessOf(
          jsonObject({
            id: sql`w.item_id`,
            title: sql`w.title`,
            active: sql`w.active`,
            in_project: sql`w.in_project`,
            conditions: explainedConditions('weakness', sql`w.id`, context),
          }),
          context,
        ),
      schema: schema.nullable(
        schema.object(
          {
            id: schema.string({ example: 'P4' }),
            title: schema.string(),
            active: schema.boolean(),
            in_project: schema.boolean(),
            conditions: conditionsSchema,
          },
          { description: 'Its weakness, which must be in the project too; null if it is project-specific.' },
        ),
      ),
    },
    introduced_by: { sql: componentList('introduces'), schema: componentsSchema('Components that add it.') },
    implemented_by: {
      sql: componentList('implements'),
      schema: componentsSchema('Components that mark it as complete.'),
    },
  },
  orderings: {},
  defaultOrdering: 'id',
});
