import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Happening } from '../activity/activity.js';
import { inProject, type PlacedProject } from '../project/find-project.js';
import { NotFound } from '../refusal.js';
import { PROJECT_COUNTERMEASURE_ID } from './project-countermeasure.rules.js';
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
  readonly statusId: number;
  readonly accepted: boolean;
  readonly relevantViaSurvey: boolean;
  readonly manuallyAdded: boolean;
}

interface Row {
  readonly identity: string;
  readonly id: string;
  readonly task_id: string;
  readonly title: string;
  readonly countermeasure_id: string | null;
  readonly status_id: number;
  readonly accepted: boolean;
  readonly relevant_via_survey: boolean;
  readonly manually_added: boolean;
}

/** The countermeasure of a project with this public id. Throws `NotFound`. */
export async function findCountermeasure(
  em: EntityManager,
  organization: number,
  project: PlacedProject,
  id: string,
): Promise<FoundCountermeasure> {
  if (!PROJECT_COUNTERMEASURE_ID.test(id)) throw new NotFound();
  const { rows } = await sql<Row>`
    SELECT item.id AS identity, ${publicIdOf('item')} AS id, item.task_id, item.title, item.countermeasure_id, item.status_id,
      item.accepted, item.relevant_via_survey, item.manually_added
    FROM ${projectCountermeasures(organization)} item WHERE item.project_id = ${project.id} AND ${hasId(id)}`.execute(
    em.getKysely(),
  );
  const [row] = rows;
  if (!row) throw new NotFound();
  return {
    identity: Number(row.identity),
    id: row.id,
    taskId: row.task_id,
    title: row.title,
    fromLibrary: row.countermeasure_id !== null,
    statusId: row.status_id,
    accepted: row.accepted,
    relevantViaSurvey: row.relevant_via_survey,
    manuallyAdded: row.manually_added,
  };
}

/** What every activity of a project's countermeasure says of it. */
export const asSubject = (
  project: PlacedProject,
  { id, title, taskId, fromLibrary }: Pick<FoundCountermeasure, 'id' | 'title' | 'taskId' | 'fromLibrary'>,
): Pick<Happening, 'id' | 'title' | 'also'> => ({
  id,
  title,
  also: { ...inProject(project), ...(fromLibrary && { standard: { id: taskId, description: title } }) },
});
