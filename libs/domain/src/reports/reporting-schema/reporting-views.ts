import { ORGANIZATION_SETTING } from '../../kernel/transaction.js';
import type { CustomizableKind } from '../../library/customization/customization.sql.js';

/** SQL for the organization that the transaction is bound to; null if it is not bound. */
export const ORGANIZATION = `(SELECT nullif(current_setting('${ORGANIZATION_SETTING}', true), '')::bigint)`;

const joined = (array: string): string => `array_to_string(${array}, ', ')`;

/** Library content that the organization sees: its own versions, and the originals that it has not changed. */
const customizable = (kind: CustomizableKind, columns: string): string =>
  [
    `v.organization_id = ${ORGANIZATION}`,
    `v.organization_id IS NULL AND NOT EXISTS (SELECT 1 FROM ${kind}_version own
      WHERE own.${kind}_id = v.${kind}_id AND own.organization_id = ${ORGANIZATION})`,
  ]
    .map(
      (condition) => `
    SELECT v.${kind}_id, v.item_id AS id, v.title, v.is_custom, v.organization_id IS NOT NULL
      AND NOT v.is_custom AS is_modified,
      CASE WHEN v.is_custom THEN 'Custom' WHEN v.organization_id IS NOT NULL THEN 'Built-in Modified'
        ELSE 'Built-in' END AS type,
      v.created_at, v.updated_at, ${columns}
    FROM ${kind}_version v JOIN ${kind} i ON i.id = v.${kind}_id WHERE ${condition}`,
    )
    .join(' UNION ALL ');

/** Joins an item's original, and the organization's version of it, which takes precedence if it exists. */
const versions = (kind: CustomizableKind, key: string): string => `
    LEFT JOIN ${kind}_version own ON own.${kind}_id = ${key} AND own.organization_id = ${ORGANIZATION}
    LEFT JOIN ${kind}_version original ON original.${kind}_id = ${key} AND coalesce(original.organization_id, 0) = 0`;

const effective = (column: string): string => `coalesce(own.${column}, original.${column})`;

/**
 * Items of a kind, with columns of the version that the organization sees. `DISTINCT` makes the planner join versions
 * once per item instead of once per row that refers to it, and omit the join if a query uses none of the columns.
 */
const itemsOf = (kind: CustomizableKind, columns: readonly string[]): string => `
    (SELECT DISTINCT ON (i.id) i.id, i.item_id,
      ${columns.map((column) => `${effective(column)} AS ${column}`).join(', ')}
     FROM ${kind} i ${versions(kind, 'i.id')})`;

/** One number for a project and an item, which is cheaper to count than a text. Item ids must be below 10^9. */
const pairOf = (project: string, item: string): string => `${project} * 1000000000 + ${item}`;

/** Projects are grouped by 64: the number of a project's group, and its bit within the group. */
const groupOf = (project: string): string => `(${project} >> 6)`;
const bitOf = (project: string): string => `(1::bigint << (${project} & 63)::int)`;

/** Open countermeasures: one row per group of projects, with a bit mask of the projects. */
const OPEN_COUNTERMEASURES = `
      SELECT countermeasure_id, ${groupOf('project_id')} AS project_group, bit_or(${bitOf('project_id')}) AS projects
      FROM project_countermeasure
      WHERE organization_id = ${ORGANIZATION} AND accepted AND status_id <> 1
      GROUP BY 1, 2`;

/** The countermeasures for each weakness, and for each threat: those for the weaknesses that it uses. */
const AGAINST_WEAKNESSES = `
      SELECT i.id AS countermeasure_id, i.weakness_id FROM ${itemsOf('countermeasure', ['weakness_id'])} i`;
const AGAINST_THREATS = `
      SELECT against.countermeasure_id, t.threat_id FROM (${AGAINST_WEAKNESSES}) against
      JOIN (SELECT i.id AS threat_id, unnest(i.problems) AS weakness_id FROM ${itemsOf('threat', ['problems'])} i) t
        ON t.weakness_id = against.weakness_id`;

/**
 * Items of a kind in projects, with the given columns and whether countermeasures are still open. Open countermeasures
 * are joined by group of projects: there are few groups, and joining pairs of project and item takes twice as long.
 */
const projectItems = (kind: 'weakness' | 'threat', columns: readonly string[], against: string): string => `
    SELECT ${pairOf('held.project_id', `held.${kind}_id`)} AS key, held.project_id, held.${kind}_id,
      held.project_id || '-' || i.item_id AS id, ${columns.map((column) => `i.${column}`).join(', ')},
      CASE WHEN open.projects & ${bitOf('held.project_id')} <> 0 THEN 'Unmitigated' ELSE 'Mitigated' END AS status
    FROM project_${kind} held
    JOIN project p ON p.id = held.project_id AND p.organization_id = ${ORGANIZATION}
    JOIN ${itemsOf(kind, columns)} i ON i.id = held.${kind}_id
    LEFT JOIN (
      SELECT against.${kind}_id, c.project_group, bit_or(c.projects) AS projects
      FROM (${OPEN_COUNTERMEASURES}) c JOIN (${against}) against ON against.countermeasure_id = c.countermeasure_id
      GROUP BY 1, 2
    ) open ON open.${kind}_id = held.${kind}_id AND open.project_group = ${groupOf('held.project_id')}`;

/** The columns of a countermeasure: from the project if it is the project's own, otherwise from the library. */
const OWN_OR_LIBRARY = `
      coalesce(l.item_id, 'PT' || c.number) AS task_id, coalesce(c.title, l.title) AS title,
      coalesce(c.priority, l.priority) AS priority, p.name AS phase`;
const JOIN_LIBRARY = `
    LEFT JOIN ${itemsOf('countermeasure', ['title', 'priority', 'phase_id'])} l ON l.id = c.countermeasure_id
    LEFT JOIN phase p ON p.id = coalesce(c.phase_id, l.phase_id)`;

/** Countermeasures of projects, counted by one column and by status, in the order of an index. */
const countedCountermeasures = (by: 'project_id' | 'countermeasure_id'): string => `
      SELECT (${by} * 3 + status_id) * 2 + accepted::int AS key, ${by}, status_id, accepted, count(*) AS total
      FROM project_countermeasure WHERE organization_id = ${ORGANIZATION} AND ${by} IS NOT NULL
      GROUP BY ${by}, status_id, accepted`;

const totalOf = (meaning: string, name: string): string =>
  `CASE WHEN s.meaning = '${meaning}' THEN c.total ELSE 0 END AS ${name}`;

/** The column that countermeasures are counted by, and how many are complete, incomplete and neither. */
const TOTALS = `s.name AS status, c.accepted, c.total,
      ${totalOf('DONE', 'complete')}, ${totalOf('TODO', 'incomplete')}, ${totalOf('NA', 'not_applicable')}`;

/** The user who created an item without such a column: the actor of its first activity. */
const creatorOf = (noun: 'Webhook' | 'Connector', id: string): string => `
      (SELECT a.actor_id FROM activity a WHERE a.organization_id = ${ORGANIZATION} AND a.name = 'Created${noun}Activity'
        AND a.data ->> '${noun.toLowerCase()}' = ${id}::text ORDER BY a.occurred_at, a.id LIMIT 1)`;

/** Noon UTC of a day: it is the same date in all time zones less than twelve hours from UTC. */
const noon = (day: string): string => `(${day} + time '12:00') AT TIME ZONE 'UTC'`;

/** How many of the counted countermeasures are complete and incomplete. */
const COMPLETION = `t.total, CASE WHEN t.status = 'Complete' THEN t.total ELSE 0 END AS complete,
      CASE WHEN t.status = 'Incomplete' THEN t.total ELSE 0 END AS incomplete`;

/**
 * All views that reports can read. Each is limited to the organization and, for library content, shows its customized
 * versions. The model files refer to these views only. A left join by a unique index is omitted if a query uses none of
 * its columns, which is why the views join instead of using subqueries.
 */
export const REPORTING_VIEWS: Readonly<Record<string, string>> = {
  business_unit: `SELECT id, name, slug, created_at FROM business_unit WHERE organization_id = ${ORGANIZATION}`,
  application: `
    SELECT id, business_unit_id, name, slug, priority, created_at, updated_at
    FROM application WHERE organization_id = ${ORGANIZATION}`,
  project: `
    SELECT id, application_id, name, slug, archived, locked, survey_complete, risk_policy_compliant,
      ${joined('tags')} AS tags, created_at, updated_at
    FROM project WHERE organization_id = ${ORGANIZATION}`,
  task: `
    SELECT c.id AS key, c.project_id, c.countermeasure_id,
      c.project_id || '-' || coalesce(l.item_id, 'PT' || c.number) AS id, ${OWN_OR_LIBRARY},
      s.name AS status, s.meaning AS status_meaning, c.verification_status, c.accepted, c.relevant,
      assigned.emails AS assigned_to, c.status_updated_at, c.created_at, c.updated_at
    FROM project_countermeasure c
    LEFT JOIN task_status s ON s.id = c.status_id
    LEFT JOIN (
      SELECT a.project_countermeasure_id, string_agg(u.email, ', ' ORDER BY u.email) AS emails
      FROM project_countermeasure_assignee a JOIN user_account u ON u.id = a.user_id
        AND u.organization_id = ${ORGANIZATION}
      GROUP BY a.project_countermeasure_id
    ) assigned ON assigned.project_countermeasure_id = c.id
    ${JOIN_LIBRARY}
    WHERE c.organization_id = ${ORGANIZATION}`,
  task_by_project: `
    SELECT c.key, c.project_id, ${TOTALS}
    FROM (${countedCountermeasures('project_id')}) c JOIN task_status s ON s.id = c.status_id`,
  task_by_countermeasure: `
    SELECT c.key, c.countermeasure_id, ${OWN_OR_LIBRARY}, ${TOTALS}
    FROM (
      SELECT *, NULL::integer AS number, NULL AS title, NULL::integer AS priority, NULL::bigint AS phase_id
      FROM (${countedCountermeasures('countermeasure_id')}) shared
      UNION ALL
      SELECT -id, NULL, status_id, accepted, 1, number, title, priority, phase_id
      FROM project_countermeasure WHERE organization_id = ${ORGANIZATION} AND number IS NOT NULL
    ) c
    JOIN task_status s ON s.id = c.status_id ${JOIN_LIBRARY}`,
  problem: projectItems('weakness', ['title', 'risk_rating'], AGAINST_WEAKNESSES),
  threat: projectItems('threat', ['title', 'severity'], AGAINST_THREATS),
  project_survey_answer: `
    SELECT ${pairOf('a.project_id', 'a.answer_id')} AS key, a.project_id, i.item_id AS answer, i.text,
      q.text AS question,
      s.title AS section, p.name AS project
    FROM project_answer a
    JOIN project p ON p.id = a.project_id AND p.organization_id = ${ORGANIZATION}
    JOIN survey_answer i ON i.id = a.answer_id AND a.state <> 'rejected'
    JOIN survey_question q ON q.id = i.question_id
    JOIN survey_subsection b ON b.id = q.subsection_id
    JOIN survey_section s ON s.id = b.section_id`,
  library_task: customizable(
    'countermeasure',
    `v.priority, v.active, ${joined('v.tags')} AS tags, v.weakness_id,
      (SELECT p.name FROM phase p WHERE p.id = v.phase_id) AS phase,
      (SELECT w.item_id FROM weakness w WHERE w.id = v.weakness_id) AS problem`,
  ),
  library_problem: customizable('weakness', `v.active, v.risk_rating, ${joined('v.cwes')} AS cwe`),
  library_threat: customizable('threat', 'v.active, v.severity, v.problems'),
  library_component: customizable(
    'component',
    'NOT v.active AS hidden, v.tasks_implemented || v.tasks_introduced AS tasks',
  ),
  library_amendment: customizable('additional_requirement', 'v.active, i.countermeasure_id'),
  library_how_to: customizable('how_to', 'v.active, i.countermeasure_id'),
  library_problem_threat: `
    SELECT threat_id || '-' || weakness_id AS key, threat_id, weakness_id
    FROM reporting.library_threat, unnest(problems) AS weakness_id`,
  library_task_component: `
    SELECT component_id || '-' || countermeasure_id AS key, component_id, countermeasure_id
    FROM reporting.library_component, unnest(tasks) AS countermeasure_id`,
  regulation: `
    SELECT r.id || '-' || coalesce(s.id, 0) || '-' || coalesce(n.countermeasure_id, 0) AS key, r.id AS regulation_id,
      r.item_id AS id, r.name, concat_ws(' ', r.name, nullif(r.version, '')) AS title,
      nullif(concat_ws(' ', nullif(s.code, ''), s.title), '') AS section, n.countermeasure_id
    FROM regulation r
    LEFT JOIN regulation_section s ON s.regulation_id = r.id AND s.active
      AND (s.organization_id IS NULL OR s.organization_id = ${ORGANIZATION})
    LEFT JOIN (
      SELECT n.section_id, n.countermeasure_id FROM regulation_section_countermeasure n
      JOIN countermeasure c ON c.id = n.countermeasure_id
        AND (c.organization_id IS NULL OR c.organization_id = ${ORGANIZATION})
    ) n ON n.section_id = s.id
    WHERE r.organization_id IS NULL OR r.organization_id = ${ORGANIZATION}`,
  activity: `
    SELECT a.id, a.name, u.email AS actor, a.actor_id, a.occurred_at, a.log_level, a.data ->> 'project_desc' AS project,
      CASE WHEN a.data ->> 'project' ~ '^[1-9][0-9]{0,17}$' THEN (a.data ->> 'project')::bigint END AS project_id
    FROM activity a LEFT JOIN user_account u ON u.id = a.actor_id
    WHERE a.organization_id = ${ORGANIZATION}`,
  activity_hour: `
    SELECT h.hour, h.name, h.log_level, h.total FROM activity_hour h WHERE h.organization_id = ${ORGANIZATION}
    UNION ALL
    SELECT date_trunc('hour', a.occurred_at), a.name, a.log_level, 1 FROM activity a
    WHERE a.organization_id = ${ORGANIZATION}
      AND a.occurred_at >= coalesce((SELECT counted_until FROM activity_hour_horizon), '-infinity')`,
  user_account: `
    SELECT u.id, u.email, u.first_name, u.last_name, r.name AS role, u.is_active, u.last_login_at, u.joined_at
    FROM user_account u JOIN global_role r ON r.id = u.role_id WHERE u.organization_id = ${ORGANIZATION}`,
  project_user: `
    SELECT m.project_id || '-' || m.user_id AS key, m.project_id, m.user_id
    FROM (
      SELECT project_id, user_id FROM project_member WHERE user_id IS NOT NULL
      UNION
      SELECT m.project_id, g.user_id FROM project_member m JOIN group_member g ON g.group_id = m.group_id
    ) m
    JOIN project p ON p.id = m.project_id AND p.organization_id = ${ORGANIZATION}`,
  integration: `
    SELECT 'webhook-' || w.id AS key, w.id, 'webhook' AS kind, w.name, w.active, d.status AS last_status,
      ${creatorOf('Webhook', 'w.id')} AS created_by, coalesce(d.deliveries, 0) AS deliveries,
        coalesce(d.failures, 0) AS failures
    FROM webhook w
    LEFT JOIN (
      SELECT d.webhook_id, count(*) AS deliveries, count(*) FILTER (WHERE d.status = 'failed') AS failures,
        (array_agg(d.status ORDER BY d.id DESC))[1] AS status
      FROM webhook_delivery d JOIN webhook own ON own.id = d.webhook_id AND own.organization_id = ${ORGANIZATION}
      GROUP BY d.webhook_id
    ) d ON d.webhook_id = w.id
    WHERE w.organization_id = ${ORGANIZATION}
    UNION ALL
    SELECT 'connector-' || c.id, c.id, c.kind, c.name, NOT c.inaccessible,
      (SELECT s.status FROM onboarding_scan s WHERE s.connector_id = c.id ORDER BY s.id DESC LIMIT 1),
      ${creatorOf('Connector', 'c.id')}, 0, 0
    FROM connector c WHERE c.organization_id = ${ORGANIZATION}`,
  project_integration: `
    SELECT DISTINCT s.project_id || '-' || s.connector_id AS key, s.project_id,
      'connector-' || s.connector_id AS integration
    FROM onboarding_scan s
    JOIN project p ON p.id = s.project_id AND p.organization_id = ${ORGANIZATION}
    WHERE s.connector_id IS NOT NULL`,
  training: `
    SELECT m.id || '-' || coalesce(n.countermeasure_id, 0) AS key, m.id AS training_module_id, n.countermeasure_id,
      m.item_id AS id, m.title, NULL::bigint AS user_id, NULL::text AS user_email, false AS completed
    FROM training_module m
    LEFT JOIN (
      SELECT n.training_module_id, n.countermeasure_id FROM training_module_countermeasure n
      JOIN countermeasure c ON c.id = n.countermeasure_id
        AND (c.organization_id IS NULL OR c.organization_id = ${ORGANIZATION})
    ) n ON n.training_module_id = m.id
    WHERE m.organization_id = ${ORGANIZATION}`,
  trend_project: `
    SELECT t.day || '-' || t.project_id AS key, t.day, ${noon('t.day')} AS date, t.project_id, t.project, t.application,
      t.business_unit, t.phase, t.status, t.priority, 1 AS total,
      (t.status = 'Complete')::int AS complete, (t.status <> 'Complete')::int AS incomplete
    FROM trend_project t WHERE t.organization_id = ${ORGANIZATION}`,
  trend_application: `
    SELECT t.day || '-' || t.application_id AS key, t.day, ${noon('t.day')} AS date, t.application_id,
      NULL::text AS project, t.application, t.business_unit, t.phase, t.status, t.priority, 1 AS total,
      (t.status = 'Complete')::int AS complete, (t.status <> 'Complete')::int AS incomplete
    FROM trend_application t WHERE t.organization_id = ${ORGANIZATION}`,
  trend_task: `
    SELECT concat_ws('-', t.day, t.project_id, t.status, t.priority, t.phase) AS key, t.day, ${noon('t.day')} AS date,
      t.project_id, p.project, p.application, p.business_unit, t.phase, t.status, t.priority, ${COMPLETION}
    FROM trend_task t
    LEFT JOIN trend_project p ON p.organization_id = t.organization_id AND p.day = t.day AND p.project_id = t.project_id
    WHERE t.organization_id = ${ORGANIZATION}`,
  trend_task_application: `
    SELECT t.day, ${noon('t.day')} AS date, t.application, t.business_unit, t.status, ${COMPLETION}
    FROM trend_task_application t WHERE t.organization_id = ${ORGANIZATION}`,
  trend_task_phase: `
    SELECT t.day, ${noon('t.day')} AS date, t.phase, t.status, t.priority, ${COMPLETION}
    FROM trend_task_phase t WHERE t.organization_id = ${ORGANIZATION}`,
};
