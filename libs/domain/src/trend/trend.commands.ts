import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/projection.js';
import { lockRule } from '../lock.js';

/** How many rows a snapshot has. */
export interface Snapshot {
  readonly days: number;
  readonly projects: number;
  readonly countermeasures: number;
}

/** The name of a countermeasure's state, and the state that an activity gave it. */
const statusName = (id: Sql): Sql => sql`(SELECT s.name FROM task_status s WHERE s.id = ${id})`;

/** Every countermeasure of a project as its organization sees it, with what snapshots count by. */
const COUNTERMEASURES = sql`
  SELECT c.id, c.organization_id, c.project_id, c.status_id, c.created_at,
    coalesce(c.priority, own.priority, original.priority) AS priority,
    coalesce(p.name, '') AS phase, coalesce(p.ordinal, 0) AS phase_ordinal
  FROM project_countermeasure c
  LEFT JOIN countermeasure_version own ON own.countermeasure_id = c.countermeasure_id AND own.organization_id = c.organization_id
  LEFT JOIN countermeasure_version original ON original.countermeasure_id = c.countermeasure_id AND original.organization_id IS NULL
  LEFT JOIN phase p ON p.id = coalesce(c.phase_id, own.phase_id, original.phase_id)`;

/** The states that countermeasures have now. */
const presentStates = (organization: Sql): Sql => sql`
  SELECT c.*, today.day, c.status_id AS state FROM (${COUNTERMEASURES}) c, today WHERE ${organization}`;

/**
 * The states that they had at the end of each past day: as the last activity before then says, incomplete before the
 * first. What the activity does not tell, such as an earlier phase or priority, is taken as it is now.
 */
const pastStates = (organization: Sql, days: number, zone: string): Sql => sql`
  SELECT c.*, past.day::date AS day, coalesce((
    SELECT substring(a.data ->> 'status' FROM '^TS([0-9]{1,9})$')::integer FROM activity a
    WHERE a.organization_id = c.organization_id AND a.name = 'MarkedTaskActivity'
      AND a.data ->> 'project' = c.project_id::text AND a.data ->> 'task' = c.task_id
      AND a.occurred_at < (past.day + interval '1 day') AT TIME ZONE ${zone}
    ORDER BY a.occurred_at DESC, a.id DESC LIMIT 1), 2) AS state
  FROM (SELECT k.*, k.project_id || '-' || coalesce(i.item_id, 'PT' || r.number) AS task_id
    FROM (${COUNTERMEASURES}) k JOIN project_countermeasure r ON r.id = k.id
    LEFT JOIN countermeasure i ON i.id = r.countermeasure_id) c, today,
    generate_series(today.day - ${days}::integer, today.day - 1, interval '1 day') past(day)
  WHERE ${organization} AND c.created_at < (past.day + interval '1 day') AT TIME ZONE ${zone}`;

interface SnapshotOptions {
  /** IANA name: which day it is. */
  readonly zone: string;
  /** One organization; all where it is absent. */
  readonly organization?: number;
  /** Past days to fill in as far as the activity tells; days that have a snapshot are left as they are. */
  readonly backfillDays?: number;
}

/**
 * Takes today's snapshot: whoever does so twice has the later one. With `backfillDays`, past days that have none are
 * filled in from the activity.
 */
export async function takeSnapshot(em: EntityManager, options: SnapshotOptions): Promise<Snapshot> {
  const { zone, organization, backfillDays = 0 } = options;
  await lockRule(em, 'trend snapshot');
  const database = em.getKysely();
  const mine = (alias: string): Sql =>
    organization === undefined ? sql`true` : sql`${sql.ref(`${alias}.organization_id`)} = ${organization}::bigint`;
  const states =
    backfillDays > 0
      ? sql`${presentStates(mine('c'))} UNION ALL SELECT * FROM (${withoutTaskId(pastStates(mine('c'), backfillDays, zone))}) filled
          WHERE NOT EXISTS (SELECT 1 FROM trend_project t WHERE t.organization_id = filled.organization_id AND t.day = filled.day)`
      : presentStates(mine('c'));
  const today = sql`today AS (SELECT (now() AT TIME ZONE ${zone})::date AS day)`;
  await sql`CREATE TEMPORARY TABLE trend_state ON COMMIT DROP AS
    WITH ${today} SELECT id, organization_id, project_id, priority, phase, phase_ordinal, day, state FROM (${states}) states`.execute(
    database,
  );
  for (const table of ['trend_project', 'trend_application', 'trend_task'])
    await sql`WITH ${today} DELETE FROM ${sql.table(table)} t USING today WHERE t.day = today.day AND ${mine('t')}`.execute(
      database,
    );
  // Counted by the database: of many organizations the rows themselves would fill this process's memory.
  const { rows: tasks } = await sql<{ total: string }>`
    WITH made AS (
      INSERT INTO trend_task (organization_id, day, project_id, phase, status, priority, total)
      SELECT organization_id, day, project_id, phase, ${statusName(sql`state`)}, priority, count(*)
      FROM trend_state GROUP BY organization_id, day, project_id, phase, state, priority
      RETURNING total)
    SELECT coalesce(sum(total), 0)::text AS total FROM made`.execute(database);
  const { rows: projects } = await sql<{ total: string; days: string }>`
    WITH ${today}, days AS (
      SELECT DISTINCT organization_id, day FROM trend_state
      UNION SELECT o.id, today.day FROM organization o, today
    ), made AS (
    INSERT INTO trend_project (organization_id, day, project_id, project, application_id, application, business_unit, phase, status, priority)
    SELECT p.organization_id, d.day, p.id, p.name, a.id, a.name, b.name, open.phase,
      CASE WHEN open.priority IS NULL THEN 'Complete' ELSE 'Incomplete' END, open.priority
    FROM project p JOIN application a ON a.id = p.application_id JOIN business_unit b ON b.id = a.business_unit_id
    JOIN days d ON d.organization_id = p.organization_id AND p.created_at < (d.day + 1)::timestamp AT TIME ZONE ${zone}
    LEFT JOIN LATERAL (
      SELECT (array_agg(s.phase ORDER BY s.phase_ordinal, s.phase))[1] AS phase, max(s.priority) AS priority
      FROM trend_state s WHERE s.project_id = p.id AND s.day = d.day AND s.state = 2
    ) open ON true
    WHERE ${mine('p')}
    RETURNING day)
    SELECT count(*)::text AS total, count(DISTINCT day)::text AS days FROM made`.execute(database);
  await sql`
    INSERT INTO trend_application (organization_id, day, application_id, application, business_unit, phase, status, priority)
    SELECT a.organization_id, d.day, a.id, a.name, b.name,
      (array_agg(p.phase ORDER BY ph.ordinal) FILTER (WHERE p.phase IS NOT NULL))[1],
      CASE WHEN bool_or(p.status <> 'Complete') THEN 'Incomplete' ELSE 'Complete' END, max(p.priority)
    FROM application a JOIN business_unit b ON b.id = a.business_unit_id
    JOIN (SELECT DISTINCT organization_id, day FROM trend_project
      UNION SELECT id, (now() AT TIME ZONE ${zone})::date FROM organization) d ON d.organization_id = a.organization_id
    LEFT JOIN trend_project p ON p.organization_id = a.organization_id AND p.day = d.day AND p.application_id = a.id
    LEFT JOIN LATERAL (SELECT min(x.ordinal) AS ordinal FROM phase x WHERE x.name = p.phase
      AND (x.organization_id IS NULL OR x.organization_id = a.organization_id)) ph ON true
    WHERE ${mine('a')} AND a.created_at < (d.day + 1)::timestamp AT TIME ZONE ${zone}
    GROUP BY a.organization_id, d.day, a.id, a.name, b.name
    ON CONFLICT (organization_id, day, application_id) DO NOTHING`.execute(database);
  return {
    days: Number(projects[0]?.days),
    projects: Number(projects[0]?.total),
    countermeasures: Number(tasks[0]?.total),
  };
}

/** The same columns as the present states have. */
const withoutTaskId = (states: Sql): Sql =>
  sql`SELECT id, organization_id, project_id, status_id, created_at, priority, phase, phase_ordinal, day, state FROM (${states}) past`;
