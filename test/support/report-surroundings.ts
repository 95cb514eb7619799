import { MikroORM } from '@mikro-orm/postgresql';
import { countActivityHours } from '#domain/activity/activity-hours.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { fillSummaries } from '#domain/reports/trend/trend-summaries.js';
import { ormOptions } from '#orm';
import type { TestDatabase } from './database.js';

/** SQL of a pseudo-random number below `count` that depends only on the expression, so it is reproducible. */
const chosen = (expression: string, count: number): string =>
  `(hashint8(${expression})::bigint + 2147483648) % ${count}`;

const KINDS = ['countermeasure', 'weakness', 'threat', 'component', 'additional_requirement', 'how_to'] as const;
type Kind = (typeof KINDS)[number];

const WITHIN_COUNTERMEASURES: readonly Kind[] = ['additional_requirement', 'how_to'];

/** Inserts an organization's versions of the originals `v`. `changes` contains the SQL of changed columns. */
async function addVersions(
  database: TestDatabase,
  kind: Kind,
  source: string,
  changes: Readonly<Record<string, string>>,
): Promise<void> {
  const columns = await database.query<{ attname: string }>(
    `SELECT quote_ident(attname) AS attname FROM pg_attribute WHERE attrelid = '${kind}_version'::regclass
       AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''`,
  );
  const names = columns.map(({ attname }) => attname);
  await database.query(
    `INSERT INTO ${kind}_version (${names.join(', ')})
      SELECT ${names.map((name) => changes[name] ?? `v.${name}`).join(', ')} FROM ${source}`,
  );
}

/** References to weaknesses that differ from those of the originals, and between organizations. */
const otherWeaknesses = (organization: number): Readonly<Partial<Record<Kind, Readonly<Record<string, string>>>>> => ({
  countermeasure: {
    weakness_id: `(SELECT w.id FROM weakness w WHERE w.organization_id IS NULL
      ORDER BY ${chosen(`w.id * 47 + v.id + ${organization}`, 1000)}, w.id LIMIT 1)`,
  },
  threat: {
    problems: `ARRAY(SELECT w.id FROM weakness w WHERE w.organization_id IS NULL
      AND ${chosen(`w.id * 53 + v.id + ${organization}`, 40)} = 0 ORDER BY w.id)`,
  },
});

/** Customizes some items of each kind for an organization, and creates custom ones. */
async function changeLibrary(database: TestDatabase, organization: number): Promise<void> {
  const moment = (salt: string): string =>
    `timestamptz '2026-01-01 00:00:00.5+00' + interval '1 minute' * (${chosen(`${salt} + ${organization}`, 400_000)})`;
  for (const kind of KINDS) {
    const changes = {
      organization_id: String(organization),
      title: `v.title || ' ${organization}'`,
      active: `${chosen(`v.id + ${organization}`, 3)} > 0`,
      created_at: moment('v.id'),
      updated_at: moment('v.id * 3'),
      ...otherWeaknesses(organization)[kind],
    };
    await addVersions(
      database,
      kind,
      `${kind}_version v WHERE v.organization_id IS NULL AND ${chosen(`v.id * 5 + ${organization}`, 8)} = 0
        AND NOT EXISTS (
         SELECT 1 FROM ${kind}_version own WHERE own.${kind}_id = v.${kind}_id
           AND own.organization_id = ${organization})`,
      changes,
    );
    const parent = WITHIN_COUNTERMEASURES.includes(kind);
    await database.query(
      `INSERT INTO ${kind} (organization_id, number${parent ? ', countermeasure_id' : ''})
       SELECT ${organization}, n${parent ? ', (SELECT min(id) + n FROM countermeasure)' : ''}
         FROM generate_series(1, 4) n`,
    );
    await addVersions(
      database,
      kind,
      `${kind} i JOIN (SELECT *, row_number() OVER (ORDER BY number) AS place FROM ${kind}_version
        WHERE organization_id IS NULL) v
         ON v.place = i.number WHERE i.organization_id = ${organization}`,
      { ...changes, [`${kind}_id`]: 'i.id', number: 'i.number', is_custom: 'true' },
    );
  }
}

/**
 * Creates a custom framework of an organization, custom sections in all frameworks, of which the first is inactive, and
 * adds its countermeasures to built-in sections.
 */
async function addSections(database: TestDatabase, organization: number): Promise<void> {
  await database.query(
    `INSERT INTO regulation (organization_id, number, name, slug)
     VALUES ($1::bigint, 1, 'Framework of ' || $1, 'framework-' || $1)`,
    [organization],
  );
  await database.query(
    `WITH own AS (
       INSERT INTO regulation_section (organization_id, number, regulation_id, code, title, ordinal, active)
       SELECT $1::bigint, row_number() OVER (ORDER BY r.id), r.id, 'X' || $1, 'Section of ' || $1, 1000,
         row_number() OVER (ORDER BY r.id) > 1
         FROM regulation r WHERE r.organization_id IS NULL OR r.organization_id = $1 RETURNING id),
     sections AS (SELECT id FROM own UNION ALL
       (SELECT id FROM regulation_section WHERE organization_id IS NULL ORDER BY id LIMIT 3))
     INSERT INTO regulation_section_countermeasure (section_id, countermeasure_id)
     SELECT s.id, c.id FROM sections s, countermeasure c WHERE c.organization_id = $1`,
    [organization],
  );
}

/** The projects `p` of an organization. */
const projects = 'project p WHERE p.organization_id = $1';
const pairs = (table: string): string =>
  `project p, ${table} x WHERE p.organization_id = $1 AND x.organization_id IS NULL`;

/** Project content other than countermeasures, and the members and assignees. */
const PROJECT_CONTENT = [
  `INSERT INTO project_weakness (project_id, weakness_id) SELECT p.id, x.id FROM ${pairs('weakness')}
    AND ${chosen('p.id * 31 + x.id', 4)} = 0`,
  `INSERT INTO project_threat (project_id, threat_id) SELECT p.id, x.id FROM ${pairs('threat')}
    AND ${chosen('p.id * 37 + x.id', 4)} = 0`,
  `INSERT INTO project_answer (project_id, answer_id) SELECT p.id, x.id FROM ${pairs('survey_answer')}
    AND ${chosen('p.id * 41 + x.id', 6)} = 0`,
  `INSERT INTO project_countermeasure_assignee SELECT c.id, u.id FROM project_countermeasure c
    JOIN user_account u USING (organization_id)
   WHERE c.organization_id = $1 AND ${chosen('c.id * 7 + u.id', 5)} = 0`,
  `INSERT INTO user_group (organization_id, number, name) VALUES ($1, 1, 'Team')`,
  `INSERT INTO group_member SELECT g.id, u.id FROM user_group g JOIN user_account u USING (organization_id)
    WHERE g.organization_id = $1 AND u.id % 2 = 0`,
  `INSERT INTO project_member (project_id, group_id, role) SELECT p.id, g.id, 'PR4' FROM user_group g
    JOIN project p USING (organization_id)
   WHERE g.organization_id = $1 AND p.id % 2 = 0`,
  `INSERT INTO project_member (project_id, user_id, role) SELECT p.id, u.id, 'PR4' FROM user_account u
    JOIN project p USING (organization_id)
   WHERE u.organization_id = $1 AND ${chosen('p.id * 11 + u.id', 3)} = 0`,
];

const INTEGRATIONS = [
  `INSERT INTO webhook (organization_id, name, sealed_url, active) SELECT $1::bigint, 'Hook ' || n, '', n % 2 = 0
    FROM generate_series(1, 4) n`,
  `INSERT INTO webhook_delivery (webhook_id, activity_id, event_source, status)
   SELECT w.id, n, 'CreatedProjectActivity',
     (ARRAY['pending', 'delivered', 'failed', 'cancelled'])[1 + ${chosen('w.id * 13 + n', 4)}]
   FROM webhook w, generate_series(1, 9) n WHERE w.organization_id = $1 AND w.name <> 'Hook 4'
     AND ${chosen('w.id + n * 3', 2)} = 0`,
  `INSERT INTO connector (organization_id, kind, name, system, params, sealed_secrets, inaccessible)
   SELECT $1::bigint, (ARRAY['analysis', 'issue_tracker'])[1 + n % 2], 'Server ' || n, (ARRAY['sonarqube', 'github'])[1 + n % 2], '{}', '', n = 3
     FROM generate_series(1, 4) n`,
  `INSERT INTO onboarding_scan (project_id, connector_id, repository_url, status)
   SELECT p.id, c.id, 'https://example.com/' || n, (ARRAY['pending', 'done'])[n]
     FROM generate_series(1, 2) n, connector c JOIN project p USING (organization_id)
   WHERE c.organization_id = $1 AND c.name <> 'Server 4' AND ${chosen('p.id + c.id * n', 3)} = 0`,
  ...['webhook', 'connector'].map(
    (kind) => `INSERT INTO activity (organization_id, actor_id, name, text, data, icon, log_level, occurred_at)
      SELECT $1::bigint, u.id, 'Created${kind === 'webhook' ? 'Webhook' : 'Connector'}Activity', '',
        jsonb_build_object('${kind}', x.id), 'x', 'admin', '2026-02-01T10:00:00Z'
      FROM ${kind} x JOIN LATERAL (SELECT id FROM user_account u WHERE u.organization_id = $1
        AND ${chosen('u.id + x.id', 3)} = 0 ORDER BY id LIMIT 1) u ON true
      WHERE x.organization_id = $1`,
  ),
];

/** Training modules with some countermeasures each, and one without any. */
const TRAININGS = [
  `INSERT INTO training_module (organization_id, number, title, active)
    SELECT $1::bigint, n, 'Module ' || n, n % 2 = 0 FROM generate_series(1, 4) n`,
  `INSERT INTO training_module_countermeasure (training_module_id, countermeasure_id)
   SELECT m.id, c.id FROM training_module m, countermeasure c WHERE m.organization_id = $1 AND m.number < 4
     AND (c.organization_id IS NULL OR c.organization_id = $1) AND ${chosen('m.id * 43 + c.id', 5)} = 0`,
];

const PHASES = `(ARRAY['Development', 'Testing', NULL])`;
const STATES = `(ARRAY['Complete', 'Incomplete', 'Not Applicable'])`;
const DAYS = `generate_series(date '2026-03-27', date '2026-04-02', interval '1 day') day`;

/** Snapshots of the days around the end of a month, with the start of daylight saving time in between. */
const TRENDS = [
  `INSERT INTO trend_project (organization_id, day, project_id, project, application_id, application, business_unit,
    phase, status, priority)
   SELECT $1::bigint, day, p.id, p.name, a.id, a.name, b.name,
     ${PHASES}[1 + ${chosen('p.id + extract(day FROM day)::int', 3)}],
     ${STATES}[1 + ${chosen('p.id * 3 + extract(day FROM day)::int', 2)}],
       nullif(${chosen('p.id * 5 + extract(day FROM day)::int', 10)}, 0)
   FROM ${DAYS}, project p JOIN application a ON a.id = p.application_id
     JOIN business_unit b ON b.id = a.business_unit_id
   WHERE p.organization_id = $1 AND ${chosen('p.id * 17 + extract(day FROM day)::int', 5)} > 0`,
  `INSERT INTO trend_application (organization_id, day, application_id, application, business_unit, phase, status,
    priority)
   SELECT $1::bigint, day, a.id, a.name, b.name, ${PHASES}[1 + ${chosen('a.id + extract(day FROM day)::int', 3)}],
     ${STATES}[1 + ${chosen('a.id * 3 + extract(day FROM day)::int', 2)}],
       nullif(${chosen('a.id * 5 + extract(day FROM day)::int', 10)}, 0)
   FROM ${DAYS}, application a JOIN business_unit b ON b.id = a.business_unit_id WHERE a.organization_id = $1`,
  `INSERT INTO trend_task (organization_id, day, project_id, phase, status, priority, total)
   SELECT $1::bigint, day, p.id, 'Development', state, 1 + ${chosen('p.id * 5 + extract(day FROM day)::int', 10)},
     1 + ${chosen('p.id * 7 + extract(day FROM day)::int', 9)}
   FROM ${DAYS}, unnest(${STATES}) state, ${projects} AND ${chosen('p.id * 19 + extract(day FROM day)::int', 5)} > 0`,
];

/** Adds everything else that an organization with projects can have, so that every cube has rows. */
export async function addSurroundings(database: TestDatabase, organization: number): Promise<void> {
  await changeLibrary(database, organization);
  await addSections(database, organization);
  for (const statement of [...PROJECT_CONTENT, ...INTEGRATIONS, ...TRAININGS, ...TRENDS])
    await database.query(statement, [organization]);
  for (const statement of fillSummaries('SELECT DISTINCT organization_id, day FROM trend_task'))
    await database.query(statement);
}

/** Counts the activities of each hour, as the worker does. Most of them are old enough to be counted. */
export async function countHours(url: string): Promise<void> {
  const orm = await MikroORM.init({ ...ormOptions({ url, poolSize: 1, timeZone: 'UTC' }), logger: () => undefined });
  await acrossOrganizations(orm.em, 'count and snapshot', countActivityHours);
  await orm.close();
}
