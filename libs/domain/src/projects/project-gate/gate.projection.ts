import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, jsonObject, timestampField } from '#query/expressions.js';
import type { Filter } from '#query/filter-parameters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { commaList, idType, integerType, type ValueType } from '#query/values.js';
import { idShape, NUMERIC_ID } from '../../kernel/item-id.js';
import { PRIORITY } from '../../library/countermeasure/countermeasure.rules.js';
import { visibleProject } from '../project-access/project-visibility.js';
import { projectCountermeasures, publicIdOf, urlOf } from '../project-countermeasure/project-countermeasure.sql.js';
import { DONE } from '../risk-policy/default-risk-policy.js';
import { breaksPolicy, riskPolicyOf } from '../risk-policy/risk-policy-compliance.js';
import { TASK_STATUSES } from '../task-status/task-status.rules.js';

const PRIORITIES = Array.from({ length: PRIORITY.maximum }, (_, index) => index + 1);

const minimumPriority = integerType(PRIORITY);
const phaseId = idType(idShape('phase'));

/** A parameter that does not filter: it changes what the gate looks at. */
const setting = (type: ValueType<string>, description: string, isList = false): Filter[string] => ({
  schema: isList ? schema.list(type.schema) : type.schema,
  description,
  read: (values) => {
    commaList(type, values);
    return () => sql`true`;
  },
});

/** The filters of the policy that the request replaces. */
function replacedFilters({ filterValues }: QueryContext): Readonly<Record<string, readonly (string | number)[]>> {
  const lowest = filterValues.get('min_priority')?.map(minimumPriority.parse)[0];
  const phases = filterValues.get('phase__in');
  return {
    ...(lowest !== undefined && { priority: PRIORITIES.filter((priority) => priority >= Number(lowest)) }),
    ...(phases && { phases: commaList(phaseId, phases) }),
  };
}

/**
 * The policy that the gate applies: the one that the request names, else that of the project. A policy without
 * conditions would let everything pass, so a request that says what it looks at requires that to be done.
 */
function appliedPolicy(context: QueryContext): Sql {
  const filters = replacedFilters(context);
  const chosen = context.filterValues.get('policy')?.[0];
  const id = chosen === undefined ? riskPolicyOf('p') : sql`${chosen}::bigint`;
  const conditions = Object.keys(filters).length
    ? sql`CASE WHEN jsonb_array_length(coalesce(r.conditions -> 'statuses', '[]')) = 0
        THEN ${JSON.stringify(DONE)}::jsonb ELSE r.conditions END`
    : sql`r.conditions`;
  return sql`(SELECT r.id, r.name, r.filters || ${JSON.stringify(filters)}::jsonb AS filters,
      ${conditions} AS conditions
    FROM risk_policy r WHERE r.id = ${id} AND r.organization_id = ${context.organization})`;
}

/** The accepted countermeasures `t` of a project `p` that are relevant. */
const countermeasuresOf = (context: QueryContext): Sql =>
  sql`${projectCountermeasures(context.organization)} t WHERE t.project_id = p.id AND t.accepted AND t.relevant`;

const countermeasure = (context: QueryContext): Sql =>
  jsonObject({
    id: publicIdOf('t'),
    title: sql`t.title`,
    priority: sql`t.priority`,
    status: sql`'TS' || t.status_id`,
    url: urlOf('t')(context),
  });

const breaks = breaksPolicy({
  phase: sql`(SELECT f.item_id FROM phase f WHERE f.id = t.phase_id)`,
  priority: sql`t.priority`,
  tags: sql`t.tags`,
  status: sql`t.status_id`,
  verification: sql`t.verification_status`,
});

/** The most urgent countermeasures come first. */
const failing = (context: QueryContext): Sql =>
  jsonList(sql`SELECT ${countermeasure(context)} AS entry FROM ${countermeasuresOf(context)} AND ${breaks}
    ORDER BY t.priority DESC, t.origin, t.number`);

const countOf = (status: 1 | 2 | 3): Sql => sql`count(*) FILTER (WHERE t.status_id = ${sql.lit(status)})`;

const counts = (context: QueryContext): Sql =>
  sql`(SELECT ${jsonObject({
    relevant: sql`count(*)`,
    complete: countOf(1),
    not_applicable: countOf(3),
    open: countOf(2),
  })} FROM ${countermeasuresOf(context)})`;

/** Whether someone has answered anything in the saved survey of a project `p`: suggestions are no answers. */
const isAnswered = sql`(p.none_questions <> '{}'
  OR EXISTS (SELECT 1 FROM project_answer answer WHERE answer.project_id = p.id AND answer.state <> 'suggested'))`;

const gates = (context: QueryContext): Sql => sql`(
  SELECT p.id, p.survey_complete, ${isAnswered} AS survey_answered, policy.id AS policy_id, policy.name AS policy_name,
    jsonb_array_length(coalesce(policy.conditions -> 'statuses', '[]')) > 0 AS policy_has_conditions,
    failing.list AS failing, json_array_length(failing.list) AS failing_count, ${counts(context)} AS counts
  FROM project p LEFT JOIN LATERAL ${appliedPolicy(context)} policy ON true,
    LATERAL (SELECT ${failing(context)} AS list) failing
  WHERE ${visibleProject('p', context)})`;

const failedRule = (rule: string, message: Sql, countermeasures: Sql): Sql =>
  jsonObject({ rule: sql.lit(rule), message, countermeasures });

const failedRules = jsonList(sql`
  SELECT ${failedRule('survey', sql`'The survey of the project is not complete: answer and save it.'`, sql`'[]'::json`)}
    AS entry WHERE NOT item.survey_complete
  UNION ALL SELECT ${failedRule(
    'countermeasures',
    sql`CASE item.failing_count WHEN 1 THEN '1 countermeasure does' ELSE item.failing_count || ' countermeasures do' END
      || ' not meet the risk policy "' || item.policy_name || '".'`,
    sql`item.failing`,
  )} WHERE item.failing_count > 0`);

/**
 * Why a result says nothing about the project: everything would pass, or the countermeasures are only those that a
 * profile suggests.
 */
const NOTHING_TO_EVALUATE = {
  survey: "No one has answered the project's survey yet: answer and save it.",
  policy: 'The risk policy sets no conditions, or there is none: choose one with `policy`, or send `min_priority`.',
  countermeasures: 'The project has no countermeasures.',
} as const;

const nothingToEvaluate = (reason: keyof typeof NOTHING_TO_EVALUATE): Sql =>
  jsonObject({ reason: sql.lit(reason), message: sql.lit(NOTHING_TO_EVALUATE[reason]) });

/** Whether a project may be released: its survey is complete, and its countermeasures meet its risk policy. */
export const gateProjection = projection({
  name: 'Gate',
  source: (context) => [{ table: gates(context), where: sql`true` }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    passed: {
      sql: sql`(item.survey_complete AND item.failing_count = 0)`,
      schema: schema.boolean({ description: 'Whether no rule failed.' }),
    },
    policy: {
      sql: sql`CASE WHEN item.policy_id IS NOT NULL
        THEN ${jsonObject({ id: sql`item.policy_id`, name: sql`item.policy_name` })} END`,
      schema: schema.nullable(
        schema.object(
          { id: schema.integer({ example: 1 }), name: schema.string({ example: 'Priority 7 and above' }) },
          { description: 'The risk policy that was applied; null if the organization has no default policy.' },
        ),
      ),
    },
    evaluated_at: timestampField(sql`now()`, 'When the gate was evaluated: the time of this request.'),
    survey_complete: column(schema.boolean({ description: 'Whether every relevant question was answered and saved.' })),
    nothing_to_evaluate: {
      sql: sql`CASE
        WHEN NOT item.survey_answered AND NOT item.survey_complete THEN ${nothingToEvaluate('survey')}
        WHEN item.policy_has_conditions IS NOT TRUE THEN ${nothingToEvaluate('policy')}
        WHEN (item.counts ->> 'relevant')::integer = 0 THEN ${nothingToEvaluate('countermeasures')} END`,
      schema: schema.nullable(
        schema.object(
          { reason: schema.string({ enum: Object.keys(NOTHING_TO_EVALUATE) }), message: schema.string() },
          { description: 'Why the result says nothing about the project, whether it passed or not; null if it does.' },
        ),
      ),
    },
    failed: {
      sql: failedRules,
      schema: schema.list(
        schema.object({
          rule: schema.string({ enum: ['survey', 'countermeasures'] }),
          message: schema.string({ example: '3 countermeasures do not meet the risk policy "Priority 7 and above".' }),
          countermeasures: schema.list(
            schema.object({
              id: schema.string({ example: '1-T21' }),
              title: schema.string(),
              priority: schema.integer(PRIORITY),
              status: schema.string({ enum: TASK_STATUSES }),
              url: schema.string({ example: '/projects/1/tasks/1-T21/' }),
            }),
            { description: 'The countermeasures that broke the rule, the most urgent ones first.' },
          ),
        }),
        { description: 'The rules that failed; empty if the gate passed.' },
      ),
    },
    counts: column(
      schema.object(
        {
          relevant: schema.integer(),
          complete: schema.integer(),
          not_applicable: schema.integer(),
          open: schema.integer(),
        },
        { description: 'All accepted countermeasures of the project, whatever the policy looks at.' },
      ),
    ),
  },
  filters: {
    min_priority: { '': setting(minimumPriority, "Look at this priority and above, whatever the policy's filter.") },
    phase: { __in: setting(phaseId, "Look at these phases, comma-separated, whatever the policy's filter.", true) },
    policy: { '': setting(integerType({}), 'Apply this risk policy instead of that of the project.') },
  },
  itemFilters: ['min_priority', 'phase', 'policy'],
  orderings: {},
  defaultOrdering: 'id',
  switches: ['absolute_urls'],
});
