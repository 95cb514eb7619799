import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { shareRule } from '../../kernel/lock.js';
import { oneOf, tables } from '../../kernel/tables.js';
import { FeatureFlag } from '../../access/flag/flag.entity.js';
import { Project } from '../hierarchy/project.entity.js';
import { ATTRIBUTE_MODE } from '../../library/match-condition/match-condition.projection.js';
import { serviceOf } from '../../kernel/operator.js';
import { recordComponentChanges } from './component-changes.js';
import type { ProjectSet } from './content.sql.js';
import { refreshAttributes } from './refresh-attributes.js';
import { markImplemented, refreshComponents } from './refresh-components.js';
import { refreshNeeds } from './refresh-needs.js';
import { refreshCountermeasures, refreshThreats, refreshWeaknesses } from './refresh-items.js';
import { refreshCompliance } from '../risk-policy/risk-policy-compliance.js';

/** The lock that refreshes of projects share. `propagateLibraryChanges` waits for it. */
export const REFRESH_RULE = 'the content of projects follows the library';

/** Locks projects until the transaction ends, and groups them by organization. */
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

/** Refreshes projects of one organization; returns those that changed. */
async function refreshProjectSet(em: EntityManager, actor: Actor | null, scope: ProjectSet): Promise<Set<number>> {
  await shareRule(em, REFRESH_RULE, scope.organizationId);
  // The order matters: each step reads what the previous ones have written.
  const componentChanges = await refreshComponents(em, scope);
  const attributeChanges = await refreshAttributes(em, scope);
  await refreshNeeds(em, scope);
  const changed = [
    componentChanges.map((change) => change.project),
    attributeChanges,
    await refreshWeaknesses(em, scope),
    await refreshCountermeasures(em, scope),
    await refreshThreats(em, scope),
    await markImplemented(em, scope),
  ].flat();
  await refreshCompliance(em, actor ?? serviceOf(scope.organizationId), scope.projects);
  await tables(em, Project)
    .updateTable('project')
    .set({ refresh_due_at: null })
    .where('id', '=', oneOf(scope.projects))
    .where('refresh_due_at', 'is not', null)
    .execute();
  await recordComponentChanges(em, actor ?? serviceOf(scope.organizationId), componentChanges);
  return new Set(changed);
}

/**
 * Calculates the content of projects from their saved answers, their attributes and the current library, and writes the
 * differences: components, attribute sources, weaknesses, countermeasures, threats, and compliance with the risk
 * policy. The number of statements does not depend on the number of projects or items. The projects stay locked until
 * the end of the caller's transaction, which should contain the change that required the refresh. Returns the projects
 * that changed.
 *
 * @param actor the user who caused it; null if the service did, after a change of the library
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
    for (const project of await refreshProjectSet(em, actor, scope)) changed.add(project);
  return changed;
}
