import type { TestApi } from './api.js';
import { rowsOf } from './client.js';
import { makeProject, type ProjectOptions, type TestProject } from './projects.js';
import type { List, UserReference } from './resources.js';

/** A user to whom a countermeasure is assigned. */
export interface Assignee extends UserReference {
  is_active: boolean;
  role: { id: string; name: string };
}

/** A countermeasure of a project as the API returns it. */
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
  assigned_to: Assignee[];
  inclusion_reason: string;
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

/** Tables of project content, without their prefix. */
const CONTENT = ['answer', 'attribute_source', 'component', 'countermeasure', 'threat', 'weakness'];

/**
 * Creates a project without content, which changes of the library do not update: tests add what they need.
 */
export async function makeEmptyProject(test: TestApi, options?: ProjectOptions): Promise<TestProject> {
  const project = await makeProject(test, options);
  for (const table of CONTENT)
    await test.database.query(`DELETE FROM project_${table} WHERE project_id = $1`, [project.id]);
  await test.database.query('UPDATE project SET content_refresh_locked = true WHERE id = $1', [project.id]);
  return project;
}

/** Inserts countermeasures of the library into a project, as if its survey had added them. */
export async function addCountermeasures(
  test: TestApi,
  project: TestProject,
  taskIds: readonly string[],
): Promise<void> {
  await test.database.query(
    `INSERT INTO project_countermeasure (organization_id, project_id, countermeasure_id, relevant_via_survey,
      became_relevant_at)
     SELECT p.organization_id, p.id, c.id, true, clock_timestamp() FROM project p
     JOIN countermeasure c ON c.item_id = ANY($2)
       AND (c.organization_id IS NULL OR c.organization_id = p.organization_id)
     WHERE p.id = $1 ON CONFLICT DO NOTHING`,
    [project.id, taskIds],
  );
}

/** Creates a project with all countermeasures of the library, and nothing else. */
export async function makeProjectWithAllCountermeasures(test: TestApi): Promise<TestProject> {
  const project = await makeEmptyProject(test);
  const tasks = await rowsOf(test.api.get<List<{ id: string }>>('/library/tasks/'));
  await addCountermeasures(
    test,
    project,
    tasks.map(({ id }) => id),
  );
  return project;
}

/** Inserts components of the library into a project, as they are in the library now. */
export async function addComponents(
  test: TestApi,
  project: TestProject,
  componentIds: readonly string[],
): Promise<void> {
  await test.database.query(
    `INSERT INTO project_component (project_id, component_id, tasks_implemented, tasks_introduced, implied_attributes)
     SELECT p.id, v.component_id, v.tasks_implemented, v.tasks_introduced, v.implied_attributes FROM project p
     JOIN component_version v ON v.item_id = ANY($2)
       AND (v.organization_id = p.organization_id OR v.organization_id IS NULL
       AND NOT EXISTS (SELECT 1 FROM component_version own WHERE own.component_id = v.component_id
         AND own.organization_id = p.organization_id))
     WHERE p.id = $1 ON CONFLICT DO NOTHING`,
    [project.id, componentIds],
  );
}

/** Inserts weaknesses and threats of the library into a project. */
export async function addRisks(test: TestApi, project: TestProject, ids: readonly string[]): Promise<void> {
  for (const kind of ['weakness', 'threat'])
    await test.database.query(
      `INSERT INTO project_${kind} (project_id, ${kind}_id) SELECT p.id, i.id FROM project p
       JOIN ${kind} i ON i.item_id = ANY($2) AND (i.organization_id IS NULL OR i.organization_id = p.organization_id)
       WHERE p.id = $1 ON CONFLICT DO NOTHING`,
      [project.id, ids],
    );
}
