import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import type { Field } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { visibleVersions } from '../../library/customization/customization.sql.js';
import { conditionText, conditionHolds, named, REASON_TEXTS } from '../project-content/condition-text.sql.js';
import { factsJsonOf, type LibraryScope, matchingModeOf } from '../project-content/content.sql.js';

/** The text of the first condition that is met; null if none is. */
const firstCondition = (project: Sql, context: LibraryScope): Sql =>
  sql`(SELECT ${conditionText(context)}
    FROM (SELECT ${factsJsonOf(project, matchingModeOf(context))} AS facts, item.version_id AS version) item
    JOIN match_condition m ON m.countermeasure_version_id = item.version
    WHERE ${conditionHolds(context)} ORDER BY m.position LIMIT 1)`;

/** The component of the project that introduces the countermeasure; null if none does. */
const introducingComponent = ({ organization }: LibraryScope): Sql => sql`(
  SELECT 'Component ' || ${named(sql`c.title`, sql`c.item_id`)} || ' introduces it.'
  FROM project_component pc JOIN ${visibleVersions('component', organization)} c ON c.component_id = pc.component_id
  WHERE pc.project_id = item.project_id AND item.countermeasure_id = ANY(pc.tasks_introduced)
  ORDER BY c.is_custom, c.number LIMIT 1)`;

/**
 * Why a countermeasure `item` is in its project, in one sentence: the first reason of its explanation.
 *
 * @param project the project's internal id; if that is the same for all rows, the project's facts are read only once
 */
export const inclusionReason = (project: Sql, scope: LibraryScope): Sql =>
  sql`CASE WHEN item.countermeasure_id IS NULL THEN ${sql.lit(REASON_TEXTS.project)}
    WHEN item.manually_added THEN ${sql.lit(REASON_TEXTS.manual)}
    WHEN NOT item.relevant THEN 'Nothing includes it in this project any more.'
    WHEN NOT EXISTS (SELECT 1 FROM match_condition m WHERE m.countermeasure_version_id = item.version_id)
      THEN ${sql.lit(REASON_TEXTS.noConditions)}
    ELSE coalesce(${firstCondition(project, scope)}, ${introducingComponent(scope)},
      'This project has not been updated from the library yet.') END`;

/** The same as a field of responses. */
export const inclusionReasonField = (projectOf: (context: QueryContext) => Sql): Field => ({
  sql: (context) => inclusionReason(projectOf(context), context),
  schema: schema.string({
    description: 'Why it is in the project, in one sentence. `explain` gives all reasons.',
    example: 'Applies because "PostgreSQL" (A64) was answered to "Which databases does it use?".',
  }),
});
