import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { visibleVersions } from '../../library/customization/customization.sql.js';
import { RANKED_VERIFICATION_STATUSES } from './risk-policy.rules.js';
import { riskPolicyOf } from './risk-policy.sql.js';

/** The place of a verification status in the ranking: what is asked for is met by everything from there on. */
const rankOf = (status: Sql): Sql =>
  sql`coalesce(array_position(${[...RANKED_VERIFICATION_STATUSES]}::text[], ${status}), 1)`;

/** The policy `policy` that holds for a project `p`. */
const policyOf = sql`LEFT JOIN LATERAL (
  SELECT r.filters, r.conditions FROM risk_policy r WHERE r.id = ${riskPolicyOf('p')}) policy ON true`;

/** A countermeasure of a project as filters of policies look at it. */
interface Filtered {
  /** Public id of its phase. */
  readonly phase: Sql;
  readonly priority: Sql;
  readonly tags: Sql;
}

/** Whether a policy's filter lets a countermeasure in: it does where it is absent or empty. */
const passes = (filter: 'phases' | 'priority' | 'tags', test: (wanted: Sql) => Sql): Sql => {
  const wanted = sql`policy.filters -> ${sql.lit(filter)}`;
  return sql`(coalesce(${wanted}, 'null') IN ('null', '[]') OR ${test(wanted)})`;
};

/** Whether all filters of `policy` let a countermeasure in. */
const isCovered = ({ phase, priority, tags }: Filtered): Sql => sql`(
  ${passes('phases', (wanted) => sql`${wanted} ? ${phase}`)}
  AND ${passes('priority', (wanted) => sql`${wanted} @> to_jsonb(${priority})`)}
  AND ${passes('tags', (wanted) => sql`${wanted} ?| ${tags}`)})`;

/** Whether the policy of a project looks at a countermeasure of it; without a policy, at all of them. */
export const isRiskRelevant = (projectId: Sql, countermeasure: Filtered): Sql =>
  sql`EXISTS (SELECT 1 FROM project p ${policyOf} WHERE p.id = ${projectId} AND ${isCovered(countermeasure)})`;

/**
 * Works out anew whether projects of one organization comply with their risk policies: each countermeasure that they
 * have accepted and that the policy's filters let in must meet one of its conditions. Null before the survey is
 * complete.
 */
export async function refreshCompliance(
  em: EntityManager,
  organizationId: number,
  projects: readonly number[],
): Promise<void> {
  await sql`
    WITH seen AS (SELECT v.countermeasure_id, v.phase_id, v.priority, v.tags
      FROM ${visibleVersions('countermeasure', organizationId)} v),
    judged AS (
      SELECT p.id, CASE WHEN p.survey_complete THEN NOT EXISTS (
        SELECT 1 FROM project_countermeasure task LEFT JOIN seen USING (countermeasure_id)
        JOIN phase ON phase.id = coalesce(task.phase_id, seen.phase_id)
        WHERE task.project_id = p.id AND task.relevant AND task.accepted
          AND jsonb_array_length(coalesce(policy.conditions -> 'statuses', '[]')) > 0
          AND ${isCovered({
            phase: sql`phase.item_id`,
            priority: sql`coalesce(task.priority, seen.priority)`,
            tags: sql`coalesce(task.tags, seen.tags, '{}')`,
          })}
          AND NOT EXISTS (
            SELECT 1 FROM jsonb_to_recordset(policy.conditions -> 'statuses') AS met(task_status text,
              minimum_verification_status text)
            WHERE met.task_status = 'TS' || task.status_id
              AND ${rankOf(sql`task.verification_status`)} >= ${rankOf(sql`met.minimum_verification_status`)})
      ) END AS compliant
      FROM project p ${policyOf} WHERE p.id = ANY(${projects}::bigint[]))
    UPDATE project SET risk_policy_compliant = judged.compliant FROM judged
    WHERE project.id = judged.id AND project.risk_policy_compliant IS DISTINCT FROM judged.compliant`.execute(
    em.getKysely(),
  );
}
