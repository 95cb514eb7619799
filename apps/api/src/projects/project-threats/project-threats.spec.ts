import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeCountermeasure, makeThreat, makeWeakness } from '#test/support/factories.js';
import { addCountermeasures, addRisks, makeEmptyProject } from '#test/support/project-content.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();

interface ProjectThreat {
  id: string;
  threat_id: string;
  status: string;
  problems: string[];
  tasks: string[];
}

/** A project with two weaknesses, three countermeasures against them, and a threat that exploits both weaknesses. */
async function threatened() {
  const project = await makeEmptyProject(test);
  const [first, second] = [await makeWeakness(test.api), await makeWeakness(test.api)];
  const tasks = [];
  for (const problem of [first.id, first.id, second.id])
    tasks.push((await makeCountermeasure(test.api, { problem })).id);
  const threat = await makeThreat(test.api, { problems: [second.id, first.id], capecs: [66], stride: ['S'] });
  await addCountermeasures(test, project, tasks);
  await addRisks(test, project, [first.id, second.id, threat.id]);
  return { project, first, second, tasks, threat, path: `/projects/${project.id}/threats/` };
}

describe('Threats of a project', () => {
  it('return the weaknesses and countermeasures of the project that relate to them', async () => {
    const { project, first, second, tasks, threat, path } = await threatened();
    const [row] = await rowsOf(test.api.get<List<ProjectThreat>>(path));
    expect(row).toMatchObject({
      id: `${project.id}-${threat.id}`,
      threat_id: threat.id,
      title: threat.title,
      text: threat.text,
      severity: 5,
      status: 'Unmitigated',
      problems: [second.id, first.id],
      tasks: tasks.map((id) => `${project.id}-${id}`),
      capecs: [66],
      stride: ['S'],
    });
    for (const id of [threat.id, `${project.id}-${threat.id}`])
      expect(await bodyOf(test.api.get(`${path}${id}/`))).toEqual(row);
    for (const id of ['TH1', `${project.id + 1}-${threat.id}`, 'x', '%00'])
      await bodyOf(test.api.get(`${path}${id}/`), 404);
    await bodyOf(test.api.patch(`${path}${threat.id}/`, {}), 405);
  });

  it('are mitigated when all accepted countermeasures of their weaknesses in the project are complete', async () => {
    const { project, tasks, path } = await threatened();
    const status = async (): Promise<string | undefined> =>
      (await rowsOf(test.api.get<List<ProjectThreat>>(path)))[0]?.status;
    const mark = (id: string | undefined, changes: object): Promise<unknown> =>
      bodyOf(test.api.patch(`/projects/${project.id}/tasks/${id}/`, changes));
    await mark(tasks[0], { status: 'TS1' });
    await mark(tasks[1], { status: 'TS3' });
    await mark(tasks[2], { status: 'TS1' });
    expect(await status()).toBe('Unmitigated');
    await mark(tasks[1], { status: 'TS1' });
    expect(await status()).toBe('Mitigated');
    expect(await rowsOf(test.api.get<List<ProjectThreat>>(path, { status: 'Mitigated' }))).toHaveLength(1);
    expect(await rowsOf(test.api.get<List<ProjectThreat>>(path, { status: 'Unmitigated' }))).toHaveLength(0);
    await mark(tasks[2], { status: 'TS2' });
    expect(await status()).toBe('Unmitigated');
    await mark(tasks[2], { accepted: false });
    expect(await status()).toBe('Mitigated');
  });

  it('are not mitigated if the project has no countermeasure for them', async () => {
    const project = await makeEmptyProject(test);
    const threat = await makeThreat(test.api, { problems: ['P1'] });
    await addRisks(test, project, [threat.id]);
    expect(await bodyOf(test.api.get(`/projects/${project.id}/threats/${threat.id}/`))).toMatchObject({
      status: 'Unmitigated',
      problems: [],
      tasks: [],
    });
  });
});

describe('Weaknesses of a project', () => {
  it("return the organization's version with the project's countermeasures", async () => {
    const { project, first, second, tasks } = await threatened();
    const title = `${first.title} changed`;
    await bodyOf(test.api.patch(`/library/problems/${first.id}/`, { title, risk_rating: 9, cwe: [79] }));
    const path = `/projects/${project.id}/problems/`;
    const rows = await rowsOf(test.api.get<List<{ id: string }>>(path));
    expect(rows.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(rows[0]).toMatchObject({
      title,
      risk_rating: 9,
      cwe: [79],
      tasks: tasks.slice(0, 2).map((id) => `${project.id}-${id}`),
    });
    expect(await bodyOf(test.api.get(`${path}${first.id}/`))).toEqual(rows[0]);
    await bodyOf(test.api.get(`${path}P1/`), 404);
  });

  it('disappear when the library weakness is deleted, and its replacement gets their countermeasures', async () => {
    const { project, first, second, tasks } = await threatened();
    await bodyOf(test.api.delete(`/library/problems/${first.id}/`, { new_weakness_id: second.id }), 204);
    const path = `/projects/${project.id}/problems/`;
    expect(await rowsOf(test.api.get(path) as never)).toMatchObject([
      { id: second.id, tasks: tasks.map((id) => `${project.id}-${id}`) },
    ]);
    expect(await bodyOf(test.api.get(`/projects/${project.id}/tasks/${tasks[0]}/`))).toMatchObject({
      problem: second.id,
    });
  });
});

describe('Deleting a phase used by a project-specific countermeasure', () => {
  it('is rejected with an error that contains the id of the countermeasure', async () => {
    const project = await makeEmptyProject(test);
    const { id } = await bodyOf(test.api.post<{ id: string }>('/phases/', { name: `Phase of ${project.name}` }), 201);
    await bodyOf(
      test.api.post(`/projects/${project.id}/tasks/`, { title: 'x', text: 'x', phase: id, priority: 1 }),
      201,
    );
    expect(await bodyOf(test.api.delete(`/phases/${id}/`), 400)).toEqual({
      non_field_errors: [expect.stringContaining(`1 project countermeasure (${project.id}-PT1)`)],
    });
  });
});
