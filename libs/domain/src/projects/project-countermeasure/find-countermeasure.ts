import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { Verb } from '../../activity/activities.js';
import type { ActivityInput } from '../../activity/activity.js';
import { inProject, type LocatedProject } from '../project-access/find-project.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { PROJECT_COUNTERMEASURE_ID } from './project-countermeasure.rules.js';
import type { TaskStatus } from './references.js';
import { hasId, projectCountermeasures, publicIdOf } from './project-countermeasure.sql.js';

export interface FoundCountermeasure {
  /** The internal id. */
  readonly identity: number;
  /** For example, `1-T2`. */
  readonly id: string;
  /** For example, `T2`. */
  readonly taskId: string;
  readonly title: string;
  readonly fromLibrary: boolean;
  readonly status: TaskStatus;
  readonly accepted: boolean;
  readonly relevantViaSurvey: boolean;
  readonly manuallyAdded: boolean;
}

/** Finds the countermeasures `item` of a project that meet a condition, in the order of their ids. */
export async function findCountermeasures(
  em: EntityManager,
  organization: number,
  project: LocatedProject,
  condition: Sql,
  limit?: number,
): Promise<readonly FoundCountermeasure[]> {
  const { rows } = await sql<FoundCountermeasure>`
    SELECT item.id AS identity, ${publicIdOf('item')} AS id, item.task_id AS "taskId", item.title,
      item.countermeasure_id IS NOT NULL AS "fromLibrary", item.accepted,
      item.relevant_via_survey AS "relevantViaSurvey", item.manually_added AS "manuallyAdded",
      json_build_object('id', status.id, 'itemId', status.item_id, 'name', status.name) AS status
    FROM ${projectCountermeasures(organization)} item JOIN task_status status ON status.id = item.status_id
    WHERE item.project_id = ${project.id} AND ${condition}
    ORDER BY item.origin, item.number ${limit === undefined ? sql`` : sql`LIMIT ${sql.lit(limit)}`}`.execute(
    em.getKysely(),
  );
  return rows;
}

/** Finds a countermeasure of a project by its public id. Throws `NotFound`. */
export async function findCountermeasure(
  em: EntityManager,
  organization: number,
  project: LocatedProject,
  id: string,
): Promise<FoundCountermeasure> {
  if (!PROJECT_COUNTERMEASURE_ID.test(id)) throw new NotFound();
  const [found] = await findCountermeasures(em, organization, project, hasId(id));
  if (!found) throw new NotFound();
  return found;
}

/** The columns of a countermeasure that activities include. */
type DescribedCountermeasure = Pick<FoundCountermeasure, 'id' | 'title' | 'taskId' | 'fromLibrary'>;

/** The common data of all activities about a countermeasure of a project. */
export const subjectOf = (
  project: LocatedProject,
  { id, title, taskId, fromLibrary }: DescribedCountermeasure,
): Pick<ActivityInput, 'id' | 'title' | 'also'> => ({
  id,
  title,
  also: { ...inProject(project), ...(fromLibrary && { standard: { id: taskId, description: title } }) },
});

/** An activity about a countermeasure of a project, with its current status. */
export const countermeasureActivity = (
  verb: Verb,
  project: LocatedProject,
  countermeasure: DescribedCountermeasure & { readonly status: Pick<TaskStatus, 'itemId' | 'name'> },
): ActivityInput => {
  const subject = subjectOf(project, countermeasure);
  const status = { id: countermeasure.status.itemId, description: countermeasure.status.name };
  return { subject: 'project_countermeasure', verb, ...subject, also: { ...subject.also, status } };
};
