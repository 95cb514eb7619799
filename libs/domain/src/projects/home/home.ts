import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { jsonList, jsonObject } from '#query/expressions.js';
import type { Actor } from '../../kernel/actor.js';
import { HIGH_PRIORITY } from '../../library/countermeasure/countermeasure.rules.js';
import type { IdAndName } from '../hierarchy/located-projects.js';
import { isProjectMember, scopeOfActor, visibleProject } from '../project-access/project-visibility.js';
import { hasChanged, projectComponents } from '../project-component/project-component.sql.js';
import { projectCountermeasures } from '../project-countermeasure/project-countermeasure.sql.js';
import { INCOMPLETE } from '../task-status/task-status.rules.js';

/** The length of each list on the start page. */
export const MAX_HOME_ENTRIES = 20;

export interface Home {
  /** Open countermeasures that are assigned to the actor, by project. */
  readonly work: readonly { readonly project: IdAndName; readonly open: number; readonly high_priority: number }[];
  /** Projects of the actor, and then others that they can see. */
  readonly projects: readonly (IdAndName & { readonly complete: number; readonly relevant: number })[];
  /** Decisions about changes of the library that wait in these projects. */
  readonly updates: readonly { readonly project: IdAndName; readonly count: number }[];
}

const project = jsonObject({ id: sql`p.id`, name: sql`p.name` });

/** What the start page of a user shows about their projects. Archived projects are left out. */
export async function readHome(em: EntityManager, actor: Actor): Promise<Home> {
  const scope = scopeOfActor(actor);
  const seen = sql`NOT p.archived AND ${visibleProject('p', scope)}`;
  const limit = sql`LIMIT ${sql.lit(MAX_HOME_ENTRIES)}`;
  const countermeasures = projectCountermeasures(actor.organizationId);
  const work = sql`
    SELECT ${jsonObject({ project, open: sql`w.open`, high_priority: sql`w.high_priority` })} AS entry
    FROM (SELECT t.project_id, count(*) AS open,
        count(*) FILTER (WHERE t.priority >= ${sql.lit(HIGH_PRIORITY)}) AS high_priority
      FROM project_countermeasure_assignee a JOIN ${countermeasures} t ON t.id = a.project_countermeasure_id
      WHERE a.user_id = ${actor.id} AND t.accepted AND t.status_id = ${INCOMPLETE} GROUP BY t.project_id) w
    JOIN project p ON p.id = w.project_id WHERE ${seen}
    ORDER BY w.high_priority DESC, w.open DESC, lower(p.name), p.id ${limit}`;
  const progress = (condition: ReturnType<typeof sql>) =>
    sql`(SELECT count(*) FROM project_countermeasure t WHERE t.project_id = p.id AND t.accepted AND t.relevant
      AND ${condition})`;
  const projects = sql`
    SELECT ${jsonObject({
      id: sql`p.id`,
      name: sql`p.name`,
      complete: progress(sql`t.status_id <> ${INCOMPLETE}`),
      relevant: progress(sql`true`),
    })} AS entry FROM listed p ORDER BY p.place`;
  const updates = sql`
    SELECT ${jsonObject({ project, count: sql`u.count` })} AS entry FROM listed p, LATERAL (
      SELECT (SELECT count(*) FROM project_countermeasure t WHERE t.project_id = p.id AND t.accepted <> t.relevant)
        + (SELECT count(*) FROM ${projectComponents(actor.organizationId)} c
          WHERE c.project_id = p.id AND ${hasChanged('c')}) AS count) u
    WHERE u.count > 0 ORDER BY p.place`;
  const { rows } = await sql<Home>`
    WITH listed AS MATERIALIZED (
      SELECT p.id, p.name, row_number() OVER (
        ORDER BY p.creator_id IS NOT DISTINCT FROM ${actor.id} OR ${isProjectMember('p', scope)} DESC,
          p.updated_at DESC, p.id) AS place
      FROM project p WHERE ${seen} ORDER BY place ${limit})
    SELECT ${jsonList(work)} AS work, ${jsonList(projects)} AS projects, ${jsonList(updates)} AS updates`.execute(
    em.getKysely(),
  );
  const [home] = rows;
  if (!home) throw new Error('The start page has no row.');
  return home;
}
