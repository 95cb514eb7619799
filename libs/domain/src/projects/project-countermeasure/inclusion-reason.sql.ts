import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import type { Field } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { conditionText, holds, REASON_TEXTS } from '../project-content/condition-text.sql.js';
import { knownOf, modeOf } from '../project-content/content.sql.js';

/** The text of the first condition that holds; null where none does. */
const firstCondition = (project: Sql, reading: QueryContext): Sql =>
  sql`(SELECT ${conditionText(reading)}
    FROM (SELECT ${knownOf(project, modeOf(reading))} AS known, item.version_id AS version) item
    JOIN match_condition m ON m.countermeasure_version_id = item.version
    WHERE ${holds(reading)} ORDER BY m.position LIMIT 1)`;

/** The component of the project that introduces the countermeasure; null where none does. */
const introducedBy = sql`(SELECT 'Component ' || c.item_id || ' introduces it.'
  FROM project_component held JOIN component c ON c.id = held.component_id
  WHERE held.project_id = item.project_id AND item.countermeasure_id = ANY(held.tasks_introduced)
  ORDER BY c.organization_id NULLS FIRST, c.number LIMIT 1)`;

/**
 * Why a countermeasure is in its project, in one sentence: the first reason of its explanation. `projectOf` gives the
 * project's internal id; where that is the same for all rows, what is known of the project is found out once.
 */
export const inclusionReason = (projectOf: (reading: QueryContext) => Sql): Field => ({
  sql: (reading) => sql`CASE WHEN item.countermeasure_id IS NULL THEN ${sql.lit(REASON_TEXTS.project)}
    WHEN item.manually_added THEN ${sql.lit(REASON_TEXTS.manual)}
    WHEN NOT item.relevant THEN 'Nothing brings it into this project any more.'
    WHEN NOT EXISTS (SELECT 1 FROM match_condition m WHERE m.countermeasure_version_id = item.version_id)
      THEN ${sql.lit(REASON_TEXTS.noConditions)}
    ELSE coalesce(${firstCondition(projectOf(reading), reading)}, ${introducedBy},
      'This project has not followed the library yet.') END`,
  schema: schema.string({
    description: 'Why it is in the project, in one sentence. `explain` gives all reasons.',
    example: 'Match condition MC7 holds: the project has A5.',
  }),
});
