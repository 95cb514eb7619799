import type { TestApi } from './api.js';
import type { TestProject } from './projects.js';
import type { UserReference } from './resources.js';

/** A countermeasure of a project, as the API shows it. */
export interface ProjectCountermeasure {
  id: string;
  task_id: string;
  url: string;
  title: string;
  text: string;
  priority: number;
  phase: string;
  problem: string | null;
  status: string;
  verification_status: string;
  relevant: boolean;
  relevant_via_survey: boolean;
  accepted: boolean;
  manually_added_from_library: boolean;
  project_specific: boolean;
  ad_hoc: boolean;
  assigned_to: string[];
  note_count: number;
  artifact_proxy: string;
  became_relevant: string | null;
  status_updated: string | null;
  updated: string;
  updater: UserReference | null;
  library_task_created: string | null;
  library_task_updated: string | null;
  tags?: string[];
}

/** Keeps what tests put into a project past the API from being worked out anew, and begins with nothing in it. */
const keep = (test: TestApi, project: TestProject): Promise<unknown> =>
  test.database.query(
    `WITH kept AS (
       UPDATE project SET content_refresh_locked = true WHERE id = $1 AND NOT content_refresh_locked RETURNING id)
     DELETE FROM project_countermeasure USING kept WHERE project_id = kept.id AND NOT manually_added AND countermeasure_id IS NOT NULL`,
    [project.id],
  );

/** Puts countermeasures of the library into a project, past the API, as its content would bring them in. */
export async function bringIn(test: TestApi, project: TestProject, taskIds: readonly string[]): Promise<void> {
  await keep(test, project);
  await test.database.query(
    `INSERT INTO project_countermeasure (organization_id, project_id, countermeasure_id, relevant_via_survey, became_relevant_at)
     SELECT p.organization_id, p.id, c.id, true, clock_timestamp() FROM project p
     JOIN countermeasure c ON c.item_id = ANY($2) AND (c.organization_id IS NULL OR c.organization_id = p.organization_id)
     WHERE p.id = $1`,
    [project.id, taskIds],
  );
}

/** Puts components of the library into a project, past the API, as they are in the library now. */
export async function bringInComponents(
  test: TestApi,
  project: TestProject,
  componentIds: readonly string[],
): Promise<void> {
  await test.database.query(
    `INSERT INTO project_component (project_id, component_id, tasks_implemented, tasks_introduced, implied_attributes)
     SELECT p.id, v.component_id, v.tasks_implemented, v.tasks_introduced, v.implied_attributes FROM project p
     JOIN component_version v ON v.item_id = ANY($2) AND (v.organization_id = p.organization_id OR v.organization_id IS NULL
       AND NOT EXISTS (SELECT 1 FROM component_version own WHERE own.component_id = v.component_id AND own.organization_id = p.organization_id))
     WHERE p.id = $1`,
    [project.id, componentIds],
  );
}
