import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { countActivityHours } from '#domain/activity/activity-hours.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { fillSummaries } from '#domain/reports/trend/trend-summaries.js';
import { ormOptions } from '#orm';
import { reportTemplates } from '#reporting/templates.js';
import type { LargeDatabase } from './deployment.ts';
import { insertActivities, insertUsers, USERS } from './activity-scenarios.ts';

/** How much there is to report on. */
interface Portfolio {
  readonly projects: number;
  /** Countermeasures of each project. */
  readonly tasks: number;
  readonly activities: number;
}

const UNITS = 10;
const APPLICATIONS = 200;
/** Days that have a snapshot. */
const DAYS = 90;

const past = (salt: string): string => `now() - interval '1 minute' * ((${salt}) % 560000)`;

/** Set by set: what the projects hold follows from numbers, so that every run has the same. */
const statements = ({ projects, tasks }: Portfolio): readonly string[] => [
  `INSERT INTO business_unit (organization_id, name, slug) SELECT $1::bigint, 'Unit ' || n, 'unit-' || n
    FROM generate_series(1, ${UNITS}) n`,
  `INSERT INTO application (organization_id, business_unit_id, name, slug)
   SELECT organization_id, id, 'Application ' || n, 'application-' || n
   FROM generate_series(1, ${APPLICATIONS}) n JOIN business_unit ON name = 'Unit ' || 1 + n % ${UNITS}
     WHERE organization_id = $1`,
  `INSERT INTO project (organization_id, application_id, name, slug, archived, survey_complete, risk_policy_compliant,
    created_at)
   SELECT organization_id, id, 'Project ' || n, 'project-' || n, n % 20 = 0, n % 4 > 0, CASE WHEN n % 4 > 0
     THEN n % 3 = 0 END, ${past('n * 523')}
   FROM generate_series(1, ${projects}) n JOIN application ON name = 'Application ' || 1 + n % ${APPLICATIONS}
     WHERE organization_id = $1`,
  `INSERT INTO project_countermeasure (organization_id, project_id, countermeasure_id, relevant_via_survey, status_id,
    verification_status,
     accepted, status_updated_at, created_at, updated_at)
   SELECT p.organization_id, p.id, c.id, true, 1 + (c.id * 7 + p.id) % 3,
     (ARRAY['none', 'pass', 'partial', 'fail'])[1 + (c.id + p.id) % 4],
     (c.id + p.id) % 10 > 0, ${past('c.id * 3119 + p.id * 571')}, ${past('c.id * 3701 + p.id * 577')},
       ${past('c.id * 4111 + p.id * 587')}
   FROM project p CROSS JOIN LATERAL (SELECT c.id FROM countermeasure c ORDER BY hashint8(c.id * 31 + p.id)
     LIMIT ${tasks}) c
   WHERE p.organization_id = $1`,
  `INSERT INTO project_countermeasure_assignee
   SELECT c.id, u.id FROM project_countermeasure c JOIN user_account u ON u.organization_id = c.organization_id
     AND u.last_name = (1 + c.id % ${USERS})::text
   WHERE c.organization_id = $1 AND c.id % 5 = 0`,
  `INSERT INTO project_weakness (project_id, weakness_id) SELECT p.id, w.id FROM project p, weakness w
    WHERE p.organization_id = $1 AND (p.id + w.id) % 2 = 0`,
  `INSERT INTO project_threat (project_id, threat_id) SELECT p.id, t.id FROM project p, threat t
    WHERE p.organization_id = $1 AND (p.id + t.id) % 2 = 0`,
  `INSERT INTO project_answer (project_id, answer_id) SELECT p.id, a.id FROM project p, survey_answer a
    WHERE p.organization_id = $1 AND (p.id + a.id) % 4 = 0`,
  `INSERT INTO trend_project (organization_id, day, project_id, project, application_id, application, business_unit,
    phase, status, priority)
   SELECT p.organization_id, current_date - n, p.id, p.name, a.id, a.name, b.name, 'Development', 'Incomplete',
     1 + p.id % 10
   FROM generate_series(0, ${DAYS - 1}) n, project p JOIN application a ON a.id = p.application_id
     JOIN business_unit b ON b.id = a.business_unit_id
   WHERE p.organization_id = $1`,
  `INSERT INTO trend_task (organization_id, day, project_id, phase, status, priority, total)
   SELECT p.organization_id, current_date - n, p.id, phase, status, 1 + p.id % 10, 1 + (p.id + n) % 30
   FROM generate_series(0, ${DAYS - 1}) n,
     unnest(ARRAY['Requirements', 'Design', 'Development', 'Testing', 'Deployment']) phase,
     unnest(ARRAY['Complete', 'Incomplete']) status, project p WHERE p.organization_id = $1`,
];

/** As every snapshot does. */
const SUMMARIES = fillSummaries('SELECT DISTINCT organization_id, day FROM trend_task');

/** As the worker does every hour. */
async function countHours(url: string): Promise<void> {
  const orm = await MikroORM.init(ormOptions({ url, poolSize: 1, timeZone: 'UTC' }));
  await acrossOrganizations(orm.em, 'count and snapshot', countActivityHours);
  await orm.close();
}

/** Fills the database's organization; the numbers of its projects begin with 1. */
export async function seedPortfolio({ url, organization }: LargeDatabase, portfolio: Portfolio): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await insertUsers(client, organization);
    for (const statement of statements(portfolio)) await client.query(statement, [organization]);
    for (const statement of SUMMARIES) await client.query(statement);
    await insertActivities(client, organization, portfolio.activities, portfolio.projects);
    await countHours(url);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

/** A report as it is saved. */
export interface Report {
  readonly title: string;
  readonly chart: string;
  readonly type: string;
  readonly query: object;
}

const TYPICAL = [
  'open-high-priority-by-application',
  'completion-by-application',
  'status-by-business-unit',
  'coverage-by-regulation',
  'open-by-phase',
  'top-weaknesses',
  'completion-trend',
  'library-changes-by-month',
  'library-at-a-glance',
];

/** What the starter reports lack, and organizations ask for. */
const OWN: readonly Report[] = [
  {
    title: 'Activities per user in the past 30 days',
    chart: 'horizontal_bar',
    type: 'D',
    query: {
      schema: 'activity',
      measures: ['Activity.count'],
      dimensions: ['Activity.actor'],
      timeDimensions: [{ dimension: 'Activity.date', dateRange: 'last 30 days' }],
      limit: 20,
    },
  },
];

/** The reports that are measured: ten typical ones, or all starter reports. */
export const reports = (all: boolean): readonly Report[] => [
  ...reportTemplates()
    .filter(({ id }) => all || TYPICAL.includes(id))
    .map(({ title, chart, type, query }) => ({ title, chart, type, query })),
  ...OWN,
];
