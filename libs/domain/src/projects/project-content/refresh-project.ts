import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { shareRule } from '../../kernel/lock.js';
import { oneOf, tables } from '../../kernel/tables.js';
import { FeatureFlag } from '../../access/flag/flag.entity.js';
import { Project } from '../project-access/project.entity.js';
import { ATTRIBUTE_MODE } from '../../library/match-condition/match-condition.projection.js';
import { serviceOf } from '../../kernel/operator.js';
import { recordComponentChanges } from './component-changes.js';
import type { ProjectSet } from './content.sql.js';
import { REFRESH_RULE } from './refresh-rule.js';
import { refreshAttributes } from './refresh-attributes.js';
import { markImplemented, refreshComponents } from './refresh-components.js';
import { refreshCountermeasures, refreshThreats, refreshWeaknesses } from './refresh-items.js';
import { refreshCompliance } from '../risk-policy/risk-policy-compliance.js';

/** Projects by organization, each locked until the transaction ends. */
async function lockProjects(em: EntityManager, projects: readonly number[]): Promise<ProjectSet[]> {
  const locked = await tables(em, Project, FeatureFlag)
    .with('locked', (database) =>
      database
        .selectFrom('project')
        .select(['id', 'organization_id'])
        .where('id', '=', oneOf(projects))
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .selectFrom('locked')
    .select(['locked.id', 'locked.organization_id'])
    .select((query) =>
      query
        .exists(
          query
            .selectFrom('feature_flag as f')
            .select('f.name')
            .whereRef('f.organization_id', '=', 'locked.organization_id')
            .where('f.name', '=', ATTRIBUTE_MODE),
        )
        .as('by_attributes'),
    )
    .orderBy('locked.organization_id')
    .orderBy('locked.id')
    .execute();
  const scopes = new Map<number, { organizationId: number; projects: number[]; byAttributes: boolean }>();
  for (const { id, organization_id: organizationId, by_attributes } of locked) {
    const byAttributes = Boolean(by_attributes);
    const scope = scopes.get(organizationId) ?? { organizationId, projects: [], byAttributes };
    scope.projects.push(id);
    scopes.set(organizationId, scope);
  }
  return [...scopes.values()];
}

/** Works out the content of the projects of one organization; returns those where something changed. */
async function refreshScope(em: EntityManager, actor: Actor | null, scope: ProjectSet): Promise<Set<number>> {
  await shareRule(em, REFRESH_RULE, scope.organizationId);
  // Each step looks at what the ones before have written.
  const moves = await refreshComponents(em, scope);
  const changed = [
    moves.map((move) => move.project),
    await refreshAttributes(em, scope),
    await refreshWeaknesses(em, scope),
    await refreshCountermeasures(em, scope),
    await refreshThreats(em, scope),
    await markImplemented(em, scope),
  ].flat();
  await refreshCompliance(em, scope.organizationId, scope.projects);
  await tables(em, Project)
    .updateTable('project')
    .set({ refresh_due_at: null })
    .where('id', '=', oneOf(scope.projects))
    .where('refresh_due_at', 'is not', null)
    .execute();
  await recordComponentChanges(em, actor ?? serviceOf(scope.organizationId), moves);
  return new Set(changed);
}

/**
 * Works out what projects contain, from their saved answers, their attributes and the library as it is now, and writes
 * what differs: components, sources of attributes, weaknesses, countermeasures, threats, compliance with the risk
 * policy. The number of statements does not grow with that of projects or items. The projects are locked until the
 * caller's transaction ends, which is to hold the change that made this necessary. Returns the projects where something
 * changed.
 *
 * @param actor who caused it; null where the service did, after a change of the library
 * @param projects internal ids
 */
export async function refreshProjects(
  em: EntityManager,
  actor: Actor | null,
  projects: readonly number[],
): Promise<Set<number>> {
  const changed = new Set<number>();
  if (!projects.length) return changed;
  for (const scope of await lockProjects(em, projects))
    for (const project of await refreshScope(em, actor, scope)) changed.add(project);
  return changed;
}
