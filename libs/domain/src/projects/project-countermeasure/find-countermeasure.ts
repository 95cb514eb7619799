import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Verb } from '../../activity/activities.js';
import type { ActivityInput } from '../../activity/activity.js';
import { inProject, type LocatedProject } from '../project-access/find-project.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { PROJECT_COUNTERMEASURE_ID } from './project-countermeasure.rules.js';
import type { TaskStatus } from './references.js';
import { hasId, projectCountermeasures, publicIdOf } from './project-countermeasure.sql.js';

/** A countermeasure of a project that is to be changed. */
export interface FoundCountermeasure {
  /** Internal id of its row. */
  readonly identity: number;
  /** `1-T2`. */
  readonly id: string;
  /** `T2`. */
  readonly taskId: string;
  readonly title: string;
  readonly fromLibrary: boolean;
  readonly status: TaskStatus;
  readonly accepted: boolean;
  readonly relevantViaSurvey: boolean;
  readonly manuallyAdded: boolean;
}

interface Row {
  readonly identity: number;
  readonly id: string;
  readonly task_id: string;
  readonly title: string;
  readonly countermeasure_id: number | null;
  readonly status_id: number;
  readonly status_item_id: string;
  readonly status_name: string;
  readonly accepted: boolean;
  readonly relevant_via_survey: boolean;
  readonly manually_added: boolean;
}

/** The countermeasure of a project with this public id. Throws `NotFound`. */
export async function findCountermeasure(
  em: EntityManager,
  organization: number,
  project: LocatedProject,
  id: string,
): Promise<FoundCountermeasure> {
  if (!PROJECT_COUNTERMEASURE_ID.test(id)) throw new NotFound();
  const { rows } = await sql<Row>`
    SELECT item.id AS identity, ${publicIdOf('item')} AS id, item.task_id, item.title, item.countermeasure_id,
      item.status_id,
      status.item_id AS status_item_id, status.name AS status_name, item.accepted, item.relevant_via_survey,
        item.manually_added
    FROM ${projectCountermeasures(organization)} item JOIN task_status status ON status.id = item.status_id
    WHERE item.project_id = ${project.id} AND ${hasId(id)}`.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new NotFound();
  return {
    identity: row.identity,
    id: row.id,
    taskId: row.task_id,
    title: row.title,
    fromLibrary: row.countermeasure_id !== null,
    status: { id: row.status_id, itemId: row.status_item_id, name: row.status_name },
    accepted: row.accepted,
    relevantViaSurvey: row.relevant_via_survey,
    manuallyAdded: row.manually_added,
  };
}

/** A countermeasure as activities describe it. */
type Told = Pick<FoundCountermeasure, 'id' | 'title' | 'taskId' | 'fromLibrary'>;

/** What every activity in a project's countermeasure says of it. */
export const aboutCountermeasure = (
  project: LocatedProject,
  { id, title, taskId, fromLibrary }: Told,
): Pick<ActivityInput, 'id' | 'title' | 'also'> => ({
  id,
  title,
  also: { ...inProject(project), ...(fromLibrary && { standard: { id: taskId, description: title } }) },
});

/** What happened to a project's countermeasure, which has this status now. */
export const toCountermeasure = (
  verb: Verb,
  project: LocatedProject,
  found: Told & { readonly status: Pick<TaskStatus, 'itemId' | 'name'> },
): ActivityInput => {
  const subject = aboutCountermeasure(project, found);
  const status = { id: found.status.itemId, description: found.status.name };
  return { subject: 'project_countermeasure', verb, ...subject, also: { ...subject.also, status } };
};
