import { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction } from '#domain/kernel/transaction.js';
import { refreshProjects } from '#domain/projects/project-content/refresh-project.js';
import { type TestOrganization, useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields } from '#test/support/client.js';
import { makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import { addMember, makeProject, type TestProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';

interface Affected {
  count: number;
  projects: { id: number; name: string }[];
}

interface Impact {
  gained: Affected;
  lost: Affected;
  kept: Affected;
}

const test = useTestApi();

type Conditions = readonly { readonly required?: readonly string[]; readonly excluded?: readonly string[] }[];

const impactOf = (task: string, conditions: Conditions, { api } = test.organization): Promise<Impact> =>
  bodyOf(api.post<Impact>(`/library/tasks/${task}/impact/`, { match_conditions: conditions }));

async function refresh({ id }: TestOrganization, projects: readonly TestProject[]): Promise<void> {
  const ids = projects.map((project) => project.id);
  await inTransaction(test.running.app.get(EntityManager), { organizationId: id }, (em) =>
    refreshProjects(em, null, ids),
  );
}

/** A project of the organization with these saved answers. */
async function withAnswers(organization: TestOrganization, ...answers: readonly string[]): Promise<TestProject> {
  const project = await makeProject(test, { organization });
  await test.database.query(
    'INSERT INTO project_answer (project_id, answer_id) SELECT $1, id FROM survey_answer WHERE item_id = ANY($2)',
    [project.id, answers],
  );
  await refresh(organization, [project]);
  return project;
}

/** A countermeasure of a weakness that every project has. */
async function withConditions({ api }: TestOrganization, conditions: Conditions): Promise<string> {
  const problem = (await makeWeakness(api, { match_conditions: [] })).id;
  return (await makeCountermeasure(api, { problem, match_conditions: conditions })).id;
}

/** The projects in which a countermeasure is relevant. */
async function relevantIn(task: string, { id }: TestOrganization): Promise<Set<number>> {
  const rows = await test.database.query<{ project_id: string }>(
    `SELECT pc.project_id FROM project_countermeasure pc JOIN countermeasure c ON c.id = pc.countermeasure_id
     WHERE c.item_id = $1 AND pc.organization_id = $2 AND pc.relevant`,
    [task, id],
  );
  return new Set(rows.map((row) => Number(row.project_id)));
}

const sorted = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

const idsOf = ({ projects }: Affected): number[] => sorted(projects.map(({ id }) => id));

/** Compares the impact of conditions with what happens when the countermeasure really gets them. */
async function expectSameAsRecalculation(
  organization: TestOrganization,
  task: string,
  conditions: Conditions,
  projects: readonly TestProject[],
): Promise<void> {
  const { gained, lost, kept } = await changesNothing(test, () => impactOf(task, conditions, organization));
  const before = await relevantIn(task, organization);
  await bodyOf(organization.api.patch(`/library/tasks/${task}/`, { match_conditions: conditions }));
  await refresh(organization, projects);
  const after = await relevantIn(task, organization);
  expect([conditions, idsOf(gained), idsOf(lost), idsOf(kept)]).toEqual([
    conditions,
    sorted(after.difference(before)),
    sorted(before.difference(after)),
    sorted(before.intersection(after)),
  ]);
  for (const { count, projects: named } of [gained, lost, kept]) expect(count).toBe(named.length);
}

describe('The impact of other match conditions', () => {
  it('names the projects that the recalculation then changes, and stores nothing', async () => {
    const organization = await test.newOrganization();
    const task = await withConditions(organization, [{ required: ['A4'] }]);
    const projects = [
      await withAnswers(organization),
      await withAnswers(organization, 'A4'),
      await withAnswers(organization, 'A5'),
      await withAnswers(organization, 'A4', 'A5'),
    ];
    const choices: Conditions[] = [
      [{ required: ['A5'] }],
      [],
      [{ required: ['A4', 'A5'] }],
      [{ required: ['A4'] }, { required: ['A5'], excluded: ['A4'] }],
      [{ excluded: ['A4'] }],
      [{ required: ['A1'] }],
    ];
    for (const conditions of choices) await expectSameAsRecalculation(organization, task, conditions, projects);
  });

  it('works for built-in countermeasures, without customizing them', async () => {
    const organization = await test.newOrganization();
    const { problem } = await bodyOf(organization.api.get<{ problem: string }>('/library/tasks/T1/'));
    await bodyOf(organization.api.patch(`/library/problems/${problem}/`, { match_conditions: [] }));
    const projects = [await withAnswers(organization), await withAnswers(organization, 'A4')];
    for (const conditions of [[{ required: ['A4'] }], [{ excluded: ['A4'] }], []])
      await expectSameAsRecalculation(organization, 'T1', conditions, projects);
  });

  it('leaves out projects that a user has added it to, and those that do not follow the library', async () => {
    const organization = await test.newOrganization();
    const task = await withConditions(organization, [{ required: ['A1'] }]);
    const [added, locked, archived, other] = [
      await withAnswers(organization, 'A4'),
      await withAnswers(organization, 'A4'),
      await withAnswers(organization, 'A4'),
      await withAnswers(organization, 'A4'),
    ];
    await bodyOf(organization.api.post(`/projects/${added.id}/tasks/`, { task_id: task }), 201);
    await bodyOf(organization.api.patch(`/projects/${locked.id}/`, { content_refresh_locked: true }));
    await bodyOf(organization.api.patch(`/projects/${archived.id}/`, { archived: true }));
    expect(await impactOf(task, [{ required: ['A4'] }], organization)).toEqual({
      gained: { count: 1, projects: [{ id: other.id, name: other.name }] },
      lost: { count: 0, projects: [] },
      kept: { count: 0, projects: [] },
    });
  });

  it('counts all projects, and names the first 20 that the caller can see', async () => {
    const organization = await test.newOrganization();
    const task = await withConditions(organization, [{ required: ['A1'] }]);
    const projects = [await withAnswers(organization), await withAnswers(organization)];
    const body = { name: 'Editor', permissions: ['customize_content'] };
    const role = (await bodyOf(organization.api.post<{ id: string }>('/global-roles/', body), 201)).id;
    const editor = await test.newUser({ organization, role });
    const asEditor = { ...organization, admin: editor, api: editor.api };
    expect(await impactOf(task, [], asEditor)).toMatchObject({ gained: { count: 2, projects: [] } });
    const [first] = projects;
    if (first) await addMember(test, first, editor, 'PR5');
    expect(await impactOf(task, [], asEditor)).toMatchObject({
      gained: { count: 2, projects: [{ id: first?.id, name: first?.name }] },
    });
    await test.database.query(
      `INSERT INTO project (organization_id, application_id, name, slug)
       SELECT organization_id, application_id, 'More ' || n, 'more-' || n FROM project, generate_series(1, 30) n
       WHERE id = $1`,
      [first?.id],
    );
    await test.database.query(
      `INSERT INTO project_weakness (project_id, weakness_id)
       SELECT p.id, w.weakness_id FROM project p, project_weakness w
       WHERE w.project_id = $1 AND p.name LIKE 'More %' AND p.organization_id = $2`,
      [first?.id, organization.id],
    );
    const { gained } = await impactOf(task, [], organization);
    expect([gained.count, gained.projects.length]).toEqual([32, 20]);
  });

  it('rejects what a change of the conditions would reject', async () => {
    const task = await withConditions(test.organization, []);
    const path = `/library/tasks/${task}/impact/`;
    await changesNothing(test, async () => {
      expect(await rejectedFields(test.api.post(path, {}))).toEqual(['match_conditions']);
      const unknown = { match_conditions: [{ required: ['A999999'] }] };
      expect(await bodyOf(test.api.post(path, unknown), 400)).toEqual({
        match_conditions: [{ required: ['"A999999" does not exist.'] }],
      });
      await bodyOf(test.api.post('/library/tasks/CT999999/impact/', { match_conditions: [] }), 404);
    });
    const { api } = await test.newUser();
    await bodyOf(api.post(path, { match_conditions: [] }), 403);
    const other = await test.newOrganization();
    await bodyOf(other.api.post(path, { match_conditions: [] }), 404);
  });
});
