import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { onlyRow } from '../../kernel/rejected-rows.js';
import { oneOf, tables } from '../../kernel/tables.js';
import { hasScope } from '../../kernel/token-scopes.js';
import { updateCountermeasures } from '../../library/countermeasure/countermeasure.commands.js';
import type { CountermeasureInput } from '../../library/countermeasure/countermeasure.fields.js';
import { ATTRIBUTE_MODE } from '../../library/match-condition/match-condition.projection.js';
import { Project } from '../hierarchy/project.entity.js';
import { scopeOfActor, visibleProject } from '../project-access/project-visibility.js';
import { expectedCountermeasures, type ProjectSet } from './content.sql.js';
import { isUnlockedProject } from './library-change.js';

/** How many projects of each list are named. */
export const MAX_NAMED_PROJECTS = 20;

/** The projects that gain, lose or keep a countermeasure. */
interface AffectedProjects {
  readonly count: number;
  /** The first ones that the actor can see, by name. */
  readonly projects: readonly { readonly id: number; readonly name: string }[];
}

export interface ConditionImpact {
  readonly gained: AffectedProjects;
  readonly lost: AffectedProjects;
  readonly kept: AffectedProjects;
}

/** The projects that follow the library now. */
async function followingProjects(em: EntityManager, actor: Actor): Promise<ProjectSet> {
  const rows = await tables(em, Project)
    .selectFrom('project as p')
    .select('p.id')
    .where('p.organization_id', '=', actor.organizationId)
    .where(isUnlockedProject)
    .execute();
  return {
    organizationId: actor.organizationId,
    byAttributes: actor.flags.has(ATTRIBUTE_MODE),
    projects: rows.map(({ id }) => id),
  };
}

/** The projects among these to which a countermeasure of the library applies, unless a user has added it to them. */
async function projectsWith(em: EntityManager, scope: ProjectSet, id: string): Promise<Set<number>> {
  const { rows } = await sql<{ project_id: number }>`
    WITH ${expectedCountermeasures(scope, sql`v.item_id = ${id}`)}
    SELECT expected.project_id FROM expected WHERE expected.id IN (SELECT item FROM item)
      AND NOT EXISTS (SELECT 1 FROM project_countermeasure pc WHERE pc.project_id = expected.project_id
        AND pc.countermeasure_id = expected.id AND pc.manually_added)`.execute(em.getKysely());
  return new Set(rows.map((row) => row.project_id));
}

async function describe(em: EntityManager, actor: Actor, projects: ReadonlySet<number>): Promise<AffectedProjects> {
  // The impact itself needs only a scope of the library.
  if (!hasScope(actor, 'projects:read')) return { count: projects.size, projects: [] };
  const named = await tables(em, Project)
    .selectFrom('project as p')
    .select(['p.id', 'p.name'])
    .where('p.id', '=', oneOf([...projects]))
    .where(visibleProject('p', scopeOfActor(actor)))
    .orderBy(sql`lower(p.name)`)
    .orderBy('p.id')
    .limit(MAX_NAMED_PROJECTS)
    .execute();
  return { count: projects.size, projects: named };
}

/**
 * The projects that would gain, lose or keep a countermeasure of the library if it had other match conditions. **It
 * changes the countermeasure**, in order to compare what the recalculation finds before and after: the caller rolls
 * back. Throws `NotFound`, `Invalid`.
 */
export async function conditionImpact(
  em: EntityManager,
  actor: Actor,
  id: string,
  conditions: NonNullable<CountermeasureInput['match_conditions']>,
): Promise<ConditionImpact> {
  const scope = await followingProjects(em, actor);
  const before = await projectsWith(em, scope, id);
  await onlyRow(updateCountermeasures(em, actor, [{ id, changes: { match_conditions: conditions } }]));
  const after = await projectsWith(em, scope, id);
  return {
    gained: await describe(em, actor, after.difference(before)),
    lost: await describe(em, actor, before.difference(after)),
    kept: await describe(em, actor, before.intersection(after)),
  };
}
