import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { visibleVersions } from '../../library/customization/customization.sql.js';
import { asSubject } from '../project-access/find-project.js';
import { findLocatedProjects } from '../hierarchy/located-projects.js';
import { RANKED_VERIFICATION_STATUSES } from './risk-policy.fields.js';

/** The policy that applies to a row of `project`: its own, or its business unit's, or the organization's default. */
export const riskPolicyOf = (alias: string): Sql => {
  const column = (name: string): Sql => sql.ref(`${alias}.${name}`);
  return sql`coalesce(${column('risk_policy_id')},
    (SELECT b.default_risk_policy_id FROM application a JOIN business_unit b ON b.id = a.business_unit_id
      WHERE a.id = ${column('application_id')}),
    (SELECT d.id FROM risk_policy d WHERE d.organization_id = ${column('organization_id')} AND d.is_org_default))`;
};

/** The rank of a verification status: a minimum status is met by all statuses of at least its rank. */
const rankOf = (status: Sql): Sql =>
  sql`coalesce(array_position(${[...RANKED_VERIFICATION_STATUSES]}::text[], ${status}), 1)`;

/** The risk policy `policy` that applies to a project `p`. */
const policyOf = sql`LEFT JOIN LATERAL (
  SELECT r.filters, r.conditions FROM risk_policy r WHERE r.id = ${riskPolicyOf('p')}) policy ON true`;

/** The columns of a countermeasure that policies filter by. */
interface FilteredColumns {
  /** The public id of its phase. */
  readonly phase: Sql;
  readonly priority: Sql;
  readonly tags: Sql;
}

/** Whether a countermeasure passes a filter of a policy. An absent or empty filter does not restrict anything. */
const passesFilter = (filter: 'phases' | 'priority' | 'tags', test: (filter: Sql) => Sql): Sql => {
  const filterValue = sql`policy.filters -> ${sql.lit(filter)}`;
  return sql`(coalesce(${filterValue}, 'null') IN ('null', '[]') OR ${test(filterValue)})`;
};

/** Whether a countermeasure passes all filters of `policy`. */
const passesAllFilters = ({ phase, priority, tags }: FilteredColumns): Sql => sql`(
  ${passesFilter('phases', (filter) => sql`${filter} ? ${phase}`)}
  AND ${passesFilter('priority', (filter) => sql`${filter} @> to_jsonb(${priority})`)}
  AND ${passesFilter('tags', (filter) => sql`${filter} ?| ${tags}`)})`;

/** Whether the policy of a project applies to a countermeasure. Without a policy, all countermeasures count. */
export const isRiskRelevant = (projectId: Sql, countermeasure: FilteredColumns): Sql =>
  sql`EXISTS (SELECT 1 FROM project p ${policyOf} WHERE p.id = ${projectId} AND ${passesAllFilters(countermeasure)})`;

/** A countermeasure of a project with the columns that a policy looks at. */
interface JudgedColumns extends FilteredColumns {
  readonly status: Sql;
  readonly verification: Sql;
}

/** Whether `policy` applies to a countermeasure that meets none of the policy's conditions. */
export const breaksPolicy = (countermeasure: JudgedColumns): Sql => sql`(
  jsonb_array_length(coalesce(policy.conditions -> 'statuses', '[]')) > 0
  AND ${passesAllFilters(countermeasure)}
  AND NOT EXISTS (
    SELECT 1 FROM jsonb_to_recordset(policy.conditions -> 'statuses') AS allowed(task_status text,
      minimum_verification_status text)
    WHERE allowed.task_status = 'TS' || ${countermeasure.status}
      AND ${rankOf(countermeasure.verification)} >= ${rankOf(sql`allowed.minimum_verification_status`)}))`;

interface ChangedCompliance {
  readonly id: string;
  readonly compliant: boolean | null;
}

const describeCompliance = ({ compliant }: ChangedCompliance) => {
  if (compliant === null) return { id: 'unknown', description: 'Unknown' };
  return compliant
    ? { id: 'compliant', description: 'Compliant' }
    : { id: 'not_compliant', description: 'Not compliant' };
};

async function recordChanges(em: EntityManager, actor: Actor, changes: readonly ChangedCompliance[]): Promise<void> {
  const located = await findLocatedProjects(
    em,
    changes.map(({ id }) => Number(id)),
  );
  await recordActivity(
    em,
    actor,
    ...changes.flatMap((change) => {
      const project = located.get(Number(change.id));
      if (!project) return [];
      const subject = asSubject(project);
      const also = { ...subject.also, compliance: describeCompliance(change) };
      return [{ ...subject, subject: 'project_compliance' as const, verb: 'Changed' as const, also }];
    }),
  );
}

/**
 * Updates the compliance of projects of the actor's organization with their risk policies: each accepted
 * countermeasure that passes the policy's filters must meet one of its conditions. Compliance is null until the survey
 * is complete. Records an activity for each project whose compliance changed.
 */
export async function refreshCompliance(em: EntityManager, actor: Actor, projects: readonly number[]): Promise<void> {
  const { rows } = await sql<ChangedCompliance>`
    WITH version AS (SELECT v.countermeasure_id, v.phase_id, v.priority, v.tags
      FROM ${visibleVersions('countermeasure', actor.organizationId)} v),
    result AS (
      SELECT p.id, CASE WHEN p.survey_complete THEN NOT EXISTS (
        SELECT 1 FROM project_countermeasure task LEFT JOIN version USING (countermeasure_id)
        JOIN phase ON phase.id = coalesce(task.phase_id, version.phase_id)
        WHERE task.project_id = p.id AND task.relevant AND task.accepted
          AND ${breaksPolicy({
            phase: sql`phase.item_id`,
            priority: sql`coalesce(task.priority, version.priority)`,
            tags: sql`coalesce(task.tags, version.tags, '{}')`,
            status: sql`task.status_id`,
            verification: sql`task.verification_status`,
          })}
      ) END AS compliant
      FROM project p ${policyOf} WHERE p.id = ANY(${projects}::bigint[]))
    UPDATE project SET risk_policy_compliant = result.compliant FROM result
    WHERE project.id = result.id AND project.risk_policy_compliant IS DISTINCT FROM result.compliant
    RETURNING project.id, project.risk_policy_compliant AS compliant`.execute(em.getKysely());
  if (rows.length) await recordChanges(em, actor, rows);
}
