import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { INCOMPLETE } from '../task-status/task-status.rules.js';
import { introducedBy, matching, projectsOf, type ProjectSet } from './content.sql.js';

/** Makes the rows of a plain table of what projects hold the same as `wanted`; gives the projects that change. */
const follow = (table: string, column: string, scope: ProjectSet): Sql => sql`
  removed AS (
    DELETE FROM ${sql.table(table)} held WHERE held.project_id = ${projectsOf(scope)} AND NOT EXISTS (
      SELECT 1 FROM wanted WHERE wanted.project_id = held.project_id AND wanted.id = ${sql.ref(`held.${column}`)})
    RETURNING held.project_id),
  added AS (
    INSERT INTO ${sql.table(table)} (project_id, ${sql.ref(column)}) SELECT project_id, id FROM wanted
    ON CONFLICT DO NOTHING RETURNING project_id)
  SELECT project_id FROM removed UNION SELECT project_id FROM added`;

async function changedBy(em: EntityManager, statement: Sql): Promise<number[]> {
  const { rows } = await sql<{ project_id: number }>`${statement}`.execute(em.getKysely());
  return rows.map((row) => row.project_id);
}

/**
 * Weaknesses that their conditions let in, and those of what components introduce. Returns the projects that changed.
 */
export const refreshWeaknesses = (em: EntityManager, scope: ProjectSet): Promise<number[]> =>
  changedBy(
    em,
    sql`WITH ${matching('weakness', scope)},
      wanted AS (
        SELECT project_id, id FROM matched
        UNION SELECT brought.project_id, brought.weakness_id FROM ${introducedBy(scope)} brought
        WHERE brought.weakness_id IN (SELECT item FROM item)),
      ${follow('project_weakness', 'weakness_id', scope)}`,
  );

/** Threats that their conditions let in, where they name weaknesses one of these being in too. */
export const refreshThreats = (em: EntityManager, scope: ProjectSet): Promise<number[]> =>
  changedBy(
    em,
    sql`WITH ${matching('threat', scope, ['problems'])},
      wanted AS (
        SELECT matched.project_id, matched.id FROM matched JOIN item ON item.item = matched.id
        WHERE item.problems = '{}' OR EXISTS (
          SELECT 1 FROM project_weakness held
          WHERE held.project_id = matched.project_id AND held.weakness_id = ANY(item.problems))),
      ${follow('project_threat', 'threat_id', scope)}`,
  );

/** Whether anything was done with a countermeasure `held` of a project: then its row outlives its relevance. */
const hasWork = sql`(held.status_id <> ${INCOMPLETE} OR held.status_updated_at IS NOT NULL
  OR held.verification_status <> 'none'
  OR held.accepted <> held.relevant OR held.manually_added OR held.tags IS NOT NULL OR held.artifact_proxy <> ''
  OR EXISTS (SELECT 1 FROM project_countermeasure_note n WHERE n.project_countermeasure_id = held.id)
  OR EXISTS (SELECT 1 FROM project_countermeasure_analysis n WHERE n.project_countermeasure_id = held.id)
  OR EXISTS (SELECT 1 FROM project_countermeasure_assignee n WHERE n.project_countermeasure_id = held.id))`;

/**
 * Countermeasures that their conditions let in or that components introduce, their weakness being in too. What drops
 * out stays as not relevant where someone worked on it. Whether it is accepted follows what is relevant when that
 * changes, and else is the user's own. Returns the projects that changed.
 */
export const refreshCountermeasures = (em: EntityManager, scope: ProjectSet): Promise<number[]> =>
  changedBy(
    em,
    sql`WITH ${matching('countermeasure', scope, ['weakness_id'])},
      wanted AS MATERIALIZED (
        SELECT found.project_id, found.id FROM (
          SELECT matched.project_id, matched.id, item.weakness_id FROM matched JOIN item ON item.item = matched.id
          UNION SELECT introduced.project_id, introduced.id, introduced.weakness_id
            FROM ${introducedBy(scope)} introduced) found
        JOIN project_weakness held ON held.project_id = found.project_id AND held.weakness_id = found.weakness_id),
      present AS MATERIALIZED (
        SELECT held.id, held.relevant, held.manually_added OR wanted.id IS NOT NULL AS is_relevant,
          held.relevant_via_survey, wanted.id IS NOT NULL AS is_wanted, wanted.id IS NULL
            AND NOT ${hasWork} AS is_unused
        FROM project_countermeasure held
        LEFT JOIN wanted ON wanted.project_id = held.project_id AND wanted.id = held.countermeasure_id
        WHERE held.project_id = ${projectsOf(scope)} AND held.countermeasure_id IS NOT NULL),
      removed AS (
        DELETE FROM project_countermeasure held USING present
        WHERE held.id = present.id AND present.is_unused RETURNING held.project_id),
      changed AS (
        UPDATE project_countermeasure held SET relevant_via_survey = present.is_wanted, relevant = present.is_relevant,
          accepted = CASE WHEN present.is_relevant = held.relevant THEN held.accepted ELSE present.is_relevant END,
          became_relevant_at = CASE WHEN present.is_relevant AND NOT held.relevant THEN clock_timestamp()
            ELSE held.became_relevant_at END,
          updated_at = clock_timestamp()
        FROM present WHERE held.id = present.id AND NOT present.is_unused
          AND (present.is_wanted, present.is_relevant) <> (present.relevant_via_survey, present.relevant)
        RETURNING held.project_id),
      added AS (
        INSERT INTO project_countermeasure (organization_id, project_id, countermeasure_id, relevant_via_survey,
          became_relevant_at)
        SELECT ${scope.organizationId}::bigint, wanted.project_id, wanted.id, true, clock_timestamp() FROM wanted
        WHERE NOT EXISTS (SELECT 1 FROM project_countermeasure held
          WHERE held.project_id = wanted.project_id AND held.countermeasure_id = wanted.id)
        ON CONFLICT (project_id, countermeasure_id) DO NOTHING RETURNING project_id)
      SELECT project_id FROM removed UNION SELECT project_id FROM changed UNION SELECT project_id FROM added`,
  );
