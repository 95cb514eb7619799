import type { TestDatabase } from './database.js';

const time = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS')`;
const times = (alias: string): string =>
  `${time(`${alias}.created_at`)} AS created, ${time(`${alias}.updated_at`)} AS updated`;

/** Library items of a kind as an organization sees them: its own version of each, otherwise the original. */
const versionsOf = (kind: string): string =>
  `(SELECT DISTINCT ON (${kind}_id) * FROM ${kind}_version WHERE organization_id = $org OR organization_id IS NULL
    ORDER BY ${kind}_id, organization_id NULLS LAST)`;

const library = (kind: string, columns: string): string =>
  `SELECT v.${kind}_id::int AS key, v.item_id AS id, v.title, v.active, ${times('v')},
     CASE WHEN v.is_custom THEN 'Custom' WHEN v.organization_id IS NULL THEN 'Built-in'
       ELSE 'Built-in Modified' END AS type, ${columns}
   FROM ${versionsOf(kind)} v JOIN ${kind} i ON i.id = v.${kind}_id`;

/** Whether weaknesses of a project still have open countermeasures. */
const open = (project: string, weaknesses: string): string =>
  `CASE WHEN EXISTS (SELECT 1 FROM project_countermeasure c
    JOIN ${versionsOf('countermeasure')} o ON o.countermeasure_id = c.countermeasure_id
     WHERE c.project_id = ${project} AND c.accepted AND c.status_id <> 1 AND o.weakness_id = ANY(${weaknesses}))
       THEN 'Unmitigated' ELSE 'Mitigated' END AS status`;

const ownProjects = `(SELECT id FROM project WHERE organization_id = $org)`;

const trend = (columns: string, source: string): string =>
  `SELECT t.day::text AS day, t.day || 'T12:00:00.000' AS date, t.phase, t.status, t.priority, ${columns}
    FROM ${source} WHERE t.organization_id = $org`;

/**
 * Every cube in plain SQL over the tables, without the tested views: its members, its `key`, and the columns of its
 * joins.
 */
const PLAIN_CUBES: Readonly<Record<string, string>> = {
  BusinessUnit: `SELECT b.id::int AS key, b.id::int, b.name, b.slug, ${time('b.created_at')} AS created
    FROM business_unit b WHERE b.organization_id = $org`,
  Application: `SELECT a.id::int AS key, a.id::int, a.business_unit_id::int, a.name, a.slug, a.priority, ${times('a')}
    FROM application a WHERE a.organization_id = $org`,
  Project: `SELECT p.id::int AS key, p.id::int, p.application_id::int, p.name, p.slug, p.archived, p.locked,
    p.survey_complete AS "surveyComplete",
      p.risk_policy_compliant AS "riskPolicyCompliant", array_to_string(p.tags, ', ') AS tags, ${times('p')}
        FROM project p WHERE p.organization_id = $org`,
  Task: `SELECT c.id::int AS key, c.project_id::int, c.countermeasure_id::int,
    c.project_id || '-' || coalesce(v.item_id, 'PT' || c.number) AS id,
      coalesce(v.item_id, 'PT' || c.number) AS "taskId", coalesce(v.title, c.title) AS title,
        coalesce(v.priority, c.priority) AS priority,
      p.name AS phase, s.name AS status, c.verification_status AS "verificationStatus", c.accepted, c.relevant,
        a.emails AS "assignedTo",
      ${time('c.status_updated_at')} AS "statusUpdated", ${times('c')}
    FROM project_countermeasure c JOIN task_status s ON s.id = c.status_id
    LEFT JOIN ${versionsOf('countermeasure')} v ON v.countermeasure_id = c.countermeasure_id
    LEFT JOIN phase p ON p.id IN (v.phase_id, c.phase_id)
    LEFT JOIN (SELECT project_countermeasure_id, string_agg(email, ', ' ORDER BY email) AS emails
      FROM project_countermeasure_assignee JOIN user_account ON user_account.id = user_id
        GROUP BY 1) a ON a.project_countermeasure_id = c.id
    WHERE c.organization_id = $org`,
  Problem: `SELECT w.project_id || '-' || v.item_id AS key, w.project_id || '-' || v.item_id AS id, w.project_id::int,
    w.weakness_id::int, v.title,
      v.risk_rating AS "riskRating", ${open('w.project_id', 'ARRAY[w.weakness_id]')}
    FROM project_weakness w JOIN ${versionsOf('weakness')} v ON v.weakness_id = w.weakness_id
    WHERE w.project_id IN ${ownProjects}`,
  Threat: `SELECT t.project_id || '-' || v.item_id AS key, t.project_id || '-' || v.item_id AS id, t.project_id::int,
    t.threat_id::int, v.title,
      v.severity, ${open('t.project_id', 'v.problems')}
    FROM project_threat t JOIN ${versionsOf('threat')} v ON v.threat_id = t.threat_id
    WHERE t.project_id IN ${ownProjects}`,
  ProjectSurveyAnswer: `SELECT a.project_id || '-' || a.answer_id AS key, a.project_id::int, i.item_id AS answer,
    i.text, q.text AS question, s.title AS section, p.name AS project
    FROM project_answer a JOIN project p ON p.id = a.project_id JOIN survey_answer i ON i.id = a.answer_id
      JOIN survey_question q ON q.id = i.question_id
    JOIN survey_subsection b ON b.id = q.subsection_id JOIN survey_section s ON s.id = b.section_id
      WHERE p.organization_id = $org`,
  LibraryTask: library(
    'countermeasure',
    `v.priority, v.weakness_id::int, array_to_string(v.tags, ', ') AS tags,
      (SELECT name FROM phase WHERE id = v.phase_id) AS phase,
     (SELECT item_id FROM weakness WHERE id = v.weakness_id) AS problem`,
  ),
  LibraryProblem: library('weakness', `v.risk_rating AS "riskRating", array_to_string(v.cwes, ', ') AS cwe`),
  LibraryThreat: library('threat', 'v.severity'),
  LibraryComponent: library('component', 'NOT v.active AS hidden'),
  LibraryAmendment: library('additional_requirement', 'i.countermeasure_id::int'),
  LibraryHowTo: library('how_to', 'i.countermeasure_id::int'),
  LibraryProblemThreat: `SELECT v.threat_id || '-' || p AS key, v.threat_id::int, p::int AS weakness_id
    FROM ${versionsOf('threat')} v, unnest(v.problems) p`,
  LibraryTaskComponent: `SELECT v.component_id || '-' || t AS key, v.component_id::int, t::int AS countermeasure_id
    FROM ${versionsOf('component')} v, unnest(v.tasks_implemented || v.tasks_introduced) t`,
  Regulation: `SELECT concat_ws('-', r.id, s.id, n.countermeasure_id) AS key, r.id::int AS regulation_id,
    r.item_id AS id, r.name, trim(r.name || ' ' || r.version) AS title,
      nullif(trim(s.code || ' ' || s.title), '') AS section, n.countermeasure_id::int
    FROM regulation r
      LEFT JOIN (SELECT * FROM regulation_section
        WHERE active AND (organization_id = $org OR organization_id IS NULL)) s
        ON s.regulation_id = r.id
      LEFT JOIN (SELECT * FROM regulation_section_countermeasure WHERE countermeasure_id IN
        (SELECT id FROM countermeasure WHERE organization_id = $org OR organization_id IS NULL)) n
        ON n.section_id = s.id
    WHERE r.organization_id = $org OR r.organization_id IS NULL`,
  Activity: `SELECT a.id::int AS key, a.id::int, a.name, u.email AS actor, a.actor_id::int,
    ${time('a.occurred_at')} AS date, a.log_level AS "logLevel",
      a.data ->> 'project_desc' AS project, (a.data ->> 'project')::int AS project_id
    FROM activity a LEFT JOIN user_account u ON u.id = a.actor_id WHERE a.organization_id = $org`,
  User: `SELECT u.id::int AS key, u.id::int, u.email, u.first_name AS "firstName", u.last_name AS "lastName",
    r.name AS role, u.is_active AS "isActive",
      ${time('u.last_login_at')} AS "lastLogin", ${time('u.joined_at')} AS "dateJoined"
    FROM user_account u JOIN global_role r ON r.id = u.role_id WHERE u.organization_id = $org`,
  ProjectUser: `SELECT DISTINCT m.project_id || '-' || u.id AS key, m.project_id::int, u.id::int AS user_id
    FROM project_member m
    LEFT JOIN group_member g ON g.group_id = m.group_id JOIN user_account u ON u.id IN (m.user_id, g.user_id)
      WHERE m.project_id IN ${ownProjects}`,
  Integration: `SELECT 'webhook-' || w.id AS key, w.id::int, 'webhook' AS kind, w.name, w.active,
      (SELECT status FROM webhook_delivery WHERE webhook_id = w.id ORDER BY id DESC LIMIT 1) AS "lastStatus",
      (SELECT min(actor_id)::int FROM activity WHERE name = 'CreatedWebhookActivity'
        AND data ->> 'webhook' = w.id::text) AS created_by,
      (SELECT count(*)::int FROM webhook_delivery WHERE webhook_id = w.id) AS deliveries,
      (SELECT count(*)::int FROM webhook_delivery WHERE webhook_id = w.id AND status = 'failed') AS failures
    FROM webhook w WHERE w.organization_id = $org
    UNION ALL SELECT 'connector-' || c.id, c.id::int, c.kind, c.name, NOT c.inaccessible,
      (SELECT status FROM onboarding_scan WHERE connector_id = c.id ORDER BY id DESC LIMIT 1),
      (SELECT min(actor_id)::int FROM activity WHERE name = 'CreatedConnectorActivity'
        AND data ->> 'connector' = c.id::text), 0, 0
    FROM connector c WHERE c.organization_id = $org`,
  ProjectIntegration: `SELECT DISTINCT project_id || '-' || connector_id AS key, project_id::int,
    'connector-' || connector_id AS integration
    FROM onboarding_scan WHERE connector_id IS NOT NULL AND project_id IN ${ownProjects}`,
  Training: `SELECT concat_ws('-', m.id, n.countermeasure_id) AS key, m.id::int AS training_module_id,
    n.countermeasure_id::int, m.item_id AS id, m.title,
      NULL::int AS user_id, NULL::text AS "user", false AS completed
    FROM training_module m LEFT JOIN training_module_countermeasure n ON n.training_module_id = m.id
      WHERE m.organization_id = $org`,
  TrendProject: trend(
    `concat_ws('-', t.day, t.project_id) AS key, t.project_id::int, t.project, t.application, t.business_unit AS "businessUnit", 1 AS total`,
    'trend_project t',
  ),
  TrendApplication: trend(
    `concat_ws('-', t.day, t.application_id) AS key, t.application_id::int, NULL::text AS project, t.application, t.business_unit AS "businessUnit", 1 AS total`,
    'trend_application t',
  ),
  TrendTask: trend(
    `concat_ws('-', t.day, t.project_id, t.status, t.priority, t.phase) AS key, t.project_id::int, p.project, p.application, p.business_unit AS "businessUnit", t.total`,
    'trend_task t LEFT JOIN trend_project p USING (organization_id, day, project_id)',
  ),
};

/** The joins between cubes: a column of each side. */
export const PLAIN_JOINS: Readonly<Record<string, readonly [left: string, right: string]>> = {
  'Activity-User': ['actor_id', 'key'],
  'Application-Project': ['key', 'application_id'],
  'Application-TrendApplication': ['key', 'application_id'],
  'BusinessUnit-Application': ['key', 'business_unit_id'],
  'Integration-User': ['created_by', 'key'],
  'LibraryProblem-LibraryProblemThreat': ['key', 'weakness_id'],
  'LibraryProblemThreat-LibraryThreat': ['threat_id', 'key'],
  'LibraryTask-LibraryAmendment': ['key', 'countermeasure_id'],
  'LibraryTask-LibraryHowTo': ['key', 'countermeasure_id'],
  'LibraryTask-LibraryProblem': ['weakness_id', 'key'],
  'LibraryTask-LibraryTaskComponent': ['key', 'countermeasure_id'],
  'LibraryTask-Regulation': ['key', 'countermeasure_id'],
  'LibraryTask-Training': ['key', 'countermeasure_id'],
  'LibraryTaskComponent-LibraryComponent': ['component_id', 'key'],
  'Problem-LibraryProblem': ['weakness_id', 'key'],
  'Project-Activity': ['key', 'project_id'],
  'Project-Problem': ['key', 'project_id'],
  'Project-ProjectIntegration': ['key', 'project_id'],
  'Project-ProjectSurveyAnswer': ['key', 'project_id'],
  'Project-ProjectUser': ['key', 'project_id'],
  'Project-Task': ['key', 'project_id'],
  'Project-Threat': ['key', 'project_id'],
  'Project-TrendProject': ['key', 'project_id'],
  'Project-TrendTask': ['key', 'project_id'],
  'ProjectIntegration-Integration': ['integration', 'key'],
  'ProjectUser-User': ['user_id', 'key'],
  'Task-LibraryTask': ['countermeasure_id', 'key'],
  'Threat-LibraryThreat': ['threat_id', 'key'],
  'Training-User': ['user_id', 'key'],
};

/** Stores the cubes of an organization as tables of the schema `plain`. */
export async function storePlainCubes(database: TestDatabase, organization: number): Promise<void> {
  await database.query('CREATE SCHEMA plain');
  for (const [cube, statement] of Object.entries(PLAIN_CUBES))
    await database.query(`CREATE TABLE plain."${cube}" AS ${statement.replaceAll('$org', String(organization))}`);
}

export type Cell = string | number | boolean | null;
/** A row of a cube: its members, its key, and the columns of its joins. */
export type Row = Readonly<Record<string, Cell>>;

/** All rows that `storePlainCubes` has stored, by cube. */
export async function readPlainCubes(database: TestDatabase): Promise<Record<string, Row[]>> {
  const cubes: Record<string, Row[]> = {};
  for (const cube of Object.keys(PLAIN_CUBES)) cubes[cube] = await database.query<Row>(`SELECT * FROM plain."${cube}"`);
  return cubes;
}
