import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { INCOMPLETE } from '../task-status/task-status.rules.js';
import {
  anyProjectOf,
  expectedCountermeasures,
  introducedCountermeasures,
  matching,
  type ProjectSet,
} from './content.sql.js';

/** Makes the rows of a project content table equal to `expected`; selects the projects that changed. */
const syncRows = (table: string, column: string, scope: ProjectSet): Sql => sql`
  removed AS (
    DELETE FROM ${sql.table(table)} existing WHERE existing.project_id = ${anyProjectOf(scope)} AND NOT EXISTS (
      SELECT 1 FROM expected e WHERE e.project_id = existing.project_id AND e.id = ${sql.ref(`existing.${column}`)})
    RETURNING existing.project_id),
  added AS (
    INSERT INTO ${sql.table(table)} (project_id, ${sql.ref(column)}) SELECT project_id, id FROM expected
    ON CONFLICT DO NOTHING RETURNING project_id)
  SELECT project_id FROM removed UNION SELECT project_id FROM added`;

async function changedProjects(em: EntityManager, statement: Sql): Promise<number[]> {
  const { rows } = await sql<{ project_id: number }>`${statement}`.execute(em.getKysely());
  return rows.map((row) => row.project_id);
}

/**
 * Updates the weaknesses whose conditions are met or whose countermeasures components introduce. Returns changed
 * projects.
 */
export const refreshWeaknesses = (em: EntityManager, scope: ProjectSet): Promise<number[]> =>
  changedProjects(
    em,
    sql`WITH ${matching('weakness', scope)},
      expected AS (
        SELECT project_id, id FROM matched
        UNION SELECT introduced.project_id, introduced.weakness_id FROM ${introducedCountermeasures(scope)} introduced
        WHERE introduced.weakness_id IN (SELECT item FROM item)),
      ${syncRows('project_weakness', 'weakness_id', scope)}`,
  );

/** Updates the threats whose conditions are met and that refer to no weakness or to one of the project. */
export const refreshThreats = (em: EntityManager, scope: ProjectSet): Promise<number[]> =>
  changedProjects(
    em,
    sql`WITH ${matching('threat', scope, ['problems'])},
      expected AS (
        SELECT matched.project_id, matched.id FROM matched JOIN item ON item.item = matched.id
        WHERE item.problems = '{}' OR EXISTS (
          SELECT 1 FROM project_weakness pw
          WHERE pw.project_id = matched.project_id AND pw.weakness_id = ANY(item.problems))),
      ${syncRows('project_threat', 'threat_id', scope)}`,
  );

/** Whether someone has worked on a countermeasure `pc` of a project, so that it is kept when it becomes irrelevant. */
const hasWork = sql`(pc.status_id <> ${INCOMPLETE} OR pc.status_updated_at IS NOT NULL
  OR pc.verification_status <> 'none'
  OR pc.accepted <> pc.relevant OR pc.manually_added OR pc.tags IS NOT NULL OR pc.artifact_proxy <> ''
  OR EXISTS (SELECT 1 FROM tracked_issue i WHERE i.project_countermeasure_id = pc.id)
  OR EXISTS (SELECT 1 FROM project_countermeasure_note n WHERE n.project_countermeasure_id = pc.id)
  OR EXISTS (SELECT 1 FROM project_countermeasure_analysis n WHERE n.project_countermeasure_id = pc.id)
  OR EXISTS (SELECT 1 FROM project_countermeasure_assignee n WHERE n.project_countermeasure_id = pc.id))`;

/**
 * Updates the countermeasures whose conditions are met or that components introduce, if the project has their weakness.
 * Countermeasures that no longer match are kept as not relevant if someone has worked on them; otherwise they are
 * deleted. A change of relevance also sets `accepted`, which users can override. Returns the changed projects.
 */
export const refreshCountermeasures = (em: EntityManager, scope: ProjectSet): Promise<number[]> =>
  changedProjects(
    em,
    sql`WITH ${expectedCountermeasures(scope)},
      state AS MATERIALIZED (
        SELECT pc.id, pc.relevant, pc.manually_added OR expected.id IS NOT NULL AS is_relevant,
          pc.relevant_via_survey, expected.id IS NOT NULL AS is_expected, expected.id IS NULL
            AND NOT ${hasWork} AS is_unused
        FROM project_countermeasure pc
        LEFT JOIN expected ON expected.project_id = pc.project_id AND expected.id = pc.countermeasure_id
        WHERE pc.project_id = ${anyProjectOf(scope)} AND pc.countermeasure_id IS NOT NULL),
      removed AS (
        DELETE FROM project_countermeasure pc USING state
        WHERE pc.id = state.id AND state.is_unused RETURNING pc.project_id),
      changed AS (
        UPDATE project_countermeasure pc SET relevant_via_survey = state.is_expected, relevant = state.is_relevant,
          accepted = CASE WHEN state.is_relevant = pc.relevant THEN pc.accepted ELSE state.is_relevant END,
          became_relevant_at = CASE WHEN state.is_relevant AND NOT pc.relevant THEN clock_timestamp()
            ELSE pc.became_relevant_at END,
          updated_at = clock_timestamp()
        FROM state WHERE pc.id = state.id AND NOT state.is_unused
          AND (state.is_expected, state.is_relevant) <> (state.relevant_via_survey, state.relevant)
        RETURNING pc.project_id),
      added AS (
        INSERT INTO project_countermeasure (organization_id, project_id, countermeasure_id, relevant_via_survey,
          became_relevant_at)
        SELECT ${scope.organizationId}::bigint, expected.project_id, expected.id, true, clock_timestamp() FROM expected
        WHERE NOT EXISTS (SELECT 1 FROM project_countermeasure pc
          WHERE pc.project_id = expected.project_id AND pc.countermeasure_id = expected.id)
        ON CONFLICT (project_id, countermeasure_id) DO NOTHING RETURNING project_id)
      SELECT project_id FROM removed UNION SELECT project_id FROM changed UNION SELECT project_id FROM added`,
  );
