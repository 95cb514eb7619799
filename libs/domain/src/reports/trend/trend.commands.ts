import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Database } from '#query/database.js';
import { lockRule } from '../../kernel/lock.js';
import { INCOMPLETE } from '../../projects/task-status/task-status.rules.js';
import { fillSummaries } from './trend-summaries.js';

/** The number of rows in a snapshot. */
export interface Snapshot {
  readonly days: number;
  readonly projects: number;
  readonly countermeasures: number;
}

/** Every countermeasure of a project, with the columns that snapshots count by, as its organization sees them. */
const COUNTERMEASURES = sql`
  SELECT c.organization_id, c.project_id, c.status_id, c.created_at,
    c.project_id || '-' || coalesce(i.item_id, 'PT' || c.number) AS task_id,
    coalesce(c.priority, own.priority, original.priority) AS priority,
    coalesce(p.name, '') AS phase, coalesce(p.ordinal, 0) AS phase_ordinal
  FROM project_countermeasure c
  LEFT JOIN countermeasure i ON i.id = c.countermeasure_id
  LEFT JOIN countermeasure_version own ON own.countermeasure_id = c.countermeasure_id
    AND own.organization_id = c.organization_id
  LEFT JOIN countermeasure_version original ON original.countermeasure_id = c.countermeasure_id
    AND original.organization_id IS NULL
  LEFT JOIN phase p ON p.id = coalesce(c.phase_id, own.phase_id, original.phase_id)`;

/** The current states of countermeasures. */
const PRESENT_STATES = sql`
  SELECT c.*, d.day, c.status_id AS state
  FROM (${COUNTERMEASURES}) c JOIN trend_day d ON d.organization_id = c.organization_id AND d.is_today`;

/**
 * The states at the end of each past day: those of the last activity before then, or incomplete before the first
 * activity. What activities do not record, such as an earlier phase or priority, is assumed to be as it is now.
 */
const PAST_STATES = sql`
  SELECT c.*, d.day, coalesce(m.state,
    CASE WHEN (c.organization_id, c.task_id) IN (SELECT organization_id, task_id FROM trend_mark) THEN ${INCOMPLETE}
      ELSE c.status_id END)
  FROM (${COUNTERMEASURES}) c
  JOIN trend_day d ON d.organization_id = c.organization_id AND NOT d.is_today AND c.created_at < d.ends_at
  LEFT JOIN trend_mark m ON m.organization_id = c.organization_id AND m.task_id = c.task_id
    AND m.marked_at < d.ends_at AND (m.marked_again_at IS NULL OR m.marked_again_at >= d.ends_at)`;

interface SnapshotOptions {
  /** The IANA time zone that determines the date. */
  readonly zone: string;
  /** The organization; all of them by default. */
  readonly organization?: number;
  /** The number of past days to fill in from activities. Days that have a snapshot are left unchanged. */
  readonly backfillDays?: number;
}

/**
 * Takes today's snapshot, replacing an earlier one of the day. `backfillDays` fills in missing past days from
 * activities.
 */
export async function takeSnapshot(em: EntityManager, options: SnapshotOptions): Promise<Snapshot> {
  const { backfillDays = 0 } = options;
  await lockRule(em, 'trend snapshot');
  const database = em.getKysely();
  await createDayTable(database, options);
  if (backfillDays > 0) await createStatusChangeTable(database);
  const states = backfillDays > 0 ? sql`${PRESENT_STATES} UNION ALL ${PAST_STATES}` : PRESENT_STATES;
  await sql`CREATE TEMPORARY TABLE trend_state ON COMMIT DROP AS
    SELECT organization_id, day, project_id, phase, phase_ordinal, priority, state, count(*)::integer AS total
    FROM (${states}) states GROUP BY 1, 2, 3, 4, 5, 6, 7`.execute(database);
  for (const table of ['trend_project', 'trend_application', 'trend_task'])
    await sql`DELETE FROM ${sql.table(table)} t USING trend_day d
      WHERE d.is_today AND t.organization_id = d.organization_id AND t.day = d.day`.execute(database);
  const { rows } = await sql<Snapshot>`
    WITH tasks AS (${insertTasks} RETURNING total), projects AS (${insertProjects} RETURNING day)
    SELECT (SELECT count(DISTINCT day)::integer FROM projects) AS days,
      (SELECT count(*)::integer FROM projects) AS projects,
      (SELECT coalesce(sum(total), 0)::integer FROM tasks) AS countermeasures`.execute(database);
  await insertApplications.execute(database);
  for (const statement of fillSummaries('SELECT organization_id, day FROM trend_day'))
    await sql.raw(statement).execute(database);
  return rows[0] ?? { days: 0, projects: 0, countermeasures: 0 };
}

/** Lists the days to write, each with its end: today, and past days without a snapshot. */
async function createDayTable(
  database: Database,
  { zone, organization, backfillDays = 0 }: SnapshotOptions,
): Promise<void> {
  const matchesOrganization = organization === undefined ? sql`true` : sql`o.id = ${organization}::bigint`;
  await sql`CREATE TEMPORARY TABLE trend_day ON COMMIT DROP AS
    SELECT o.id AS organization_id, chosen.day, chosen.day = today.day AS is_today,
      (chosen.day + 1)::timestamp AT TIME ZONE ${sql.lit(zone)} AS ends_at
    FROM organization o, (SELECT (now() AT TIME ZONE ${sql.lit(zone)})::date AS day) today,
      LATERAL (SELECT today.day - ago AS day FROM generate_series(0, ${sql.lit(backfillDays)}) ago) chosen
    WHERE ${matchesOrganization} AND (chosen.day = today.day OR NOT EXISTS (
      SELECT 1 FROM trend_project t WHERE t.organization_id = o.id AND t.day = chosen.day))`.execute(database);
}

/** Lists when each countermeasure was given which status, and when the next one. */
async function createStatusChangeTable(database: Database): Promise<void> {
  await sql`CREATE TEMPORARY TABLE trend_mark ON COMMIT DROP AS
    SELECT a.organization_id, a.data ->> 'task' AS task_id,
      substring(a.data ->> 'status' FROM '^TS([0-9]{1,9})$')::integer AS state, a.occurred_at AS marked_at,
      lead(a.occurred_at) OVER (PARTITION BY a.organization_id, a.data ->> 'task'
        ORDER BY a.occurred_at, a.id) AS marked_again_at
    FROM activity a
    WHERE a.name = 'MarkedTaskActivity' AND a.data ->> 'task' IS NOT NULL
      AND a.organization_id IN (SELECT organization_id FROM trend_day)`.execute(database);
  await sql`ANALYZE trend_mark`.execute(database);
}

const insertTasks = sql`
  INSERT INTO trend_task (organization_id, day, project_id, phase, status, priority, total)
  SELECT t.organization_id, t.day, t.project_id, t.phase, s.name, t.priority, sum(t.total)
  FROM trend_state t JOIN task_status s ON s.id = t.state
  GROUP BY t.organization_id, t.day, t.project_id, t.phase, s.name, t.priority`;

/** A project is in the first phase with open countermeasures, and has the highest priority among them. */
const insertProjects = sql`
  INSERT INTO trend_project (organization_id, day, project_id, project, application_id, application, business_unit,
    phase, status, priority)
  SELECT p.organization_id, d.day, p.id, p.name, a.id, a.name, b.name, open.phase,
    CASE WHEN open.priority IS NULL THEN 'Complete' ELSE 'Incomplete' END, open.priority
  FROM project p JOIN application a ON a.id = p.application_id JOIN business_unit b ON b.id = a.business_unit_id
  JOIN trend_day d ON d.organization_id = p.organization_id AND p.created_at < d.ends_at
  LEFT JOIN (
    SELECT project_id, day, (array_agg(phase ORDER BY phase_ordinal, phase))[1] AS phase, max(priority) AS priority
    FROM trend_state WHERE state = ${INCOMPLETE} GROUP BY project_id, day
  ) open ON open.project_id = p.id AND open.day = d.day`;

const insertApplications = sql`
  INSERT INTO trend_application (organization_id, day, application_id, application, business_unit, phase, status,
    priority)
  SELECT a.organization_id, d.day, a.id, a.name, b.name,
    (array_agg(p.phase ORDER BY first.ordinal, p.phase) FILTER (WHERE p.phase IS NOT NULL))[1],
    CASE WHEN bool_or(p.status <> 'Complete') THEN 'Incomplete' ELSE 'Complete' END, max(p.priority)
  FROM application a JOIN business_unit b ON b.id = a.business_unit_id
  JOIN trend_day d ON d.organization_id = a.organization_id AND a.created_at < d.ends_at
  LEFT JOIN trend_project p ON p.organization_id = a.organization_id AND p.day = d.day AND p.application_id = a.id
  LEFT JOIN (
    SELECT organization_id, day, phase, min(phase_ordinal) AS ordinal FROM trend_state GROUP BY 1, 2, 3
  ) first ON first.organization_id = a.organization_id AND first.day = d.day AND first.phase = p.phase
  GROUP BY a.organization_id, d.day, a.id, a.name, b.name
  ON CONFLICT (organization_id, day, application_id) DO NOTHING`;
