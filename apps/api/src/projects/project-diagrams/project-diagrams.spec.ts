import { useTestApi } from '#test/support/api.js';
import { bodyOf, type Json, rejectedFields, rowsOf } from '#test/support/client.js';
import { addMember, makeProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';

interface Diagram {
  id: number;
  project: number;
  name: string;
  diagram_data: Json;
}

const test = useTestApi();

describe('Diagrams', () => {
  it.each([[{ nodes: [{ id: 'ä', at: [1, -2.5] }], __proto: null }], [['a', [1]]], ['<mxfile/>'], [false], [0], [{}]])(
    'store any JSON data unchanged: %j',
    async (data) => {
      const { id: project } = await makeProject(test);
      const body = { project, name: 'Data flow', diagram_data: data };
      const { id } = await bodyOf(test.api.post<Diagram>('/project-diagrams/', body), 201);
      expect((await bodyOf(test.api.get<Diagram>(`/project-diagrams/${id}/`))).diagram_data).toEqual(data);
      const changed = await bodyOf(
        test.api.patch<Diagram>(`/project-diagrams/${id}/`, { name: 'Renamed', project: 5 }),
      );
      expect(changed).toMatchObject({ project, name: 'Renamed', diagram_data: data });
    },
  );

  it.each([
    [{ diagram_data: null }],
    [{ diagram_data: { a: ['\0'] } }],
    [{ diagram_data: { '\ud800': 1 } }],
    [{ diagram_data: 'x'.repeat(1_000_001) }],
    [{ name: '' }],
    [{ project: 999_999_999 }],
  ])('reject an invalid body and change nothing (case %#)', async (fields) => {
    const { id: project } = await makeProject(test);
    const body = { project, name: 'x', diagram_data: {}, ...fields };
    const rejected = () => test.api.post('/project-diagrams/', body);
    expect(await rejectedFields(changesNothing(test, rejected))).toEqual(Object.keys(fields));
  });

  it('are visible to users who see the project, and editable by those who may edit its survey', async () => {
    const project = await makeProject(test);
    const body = { project: project.id, name: 'x', diagram_data: {} };
    const [architect, developer, stranger] = [await test.newUser(), await test.newUser(), await test.newUser()];
    await addMember(test, project, architect, 'PR2');
    await addMember(test, project, developer, 'PR4');
    let id = 0;
    const activities = await activitiesOf(test, async () => {
      ({ id } = await bodyOf(architect.api.post<Diagram>('/project-diagrams/', body), 201));
    });
    expect(activities).toMatchObject([{ name: 'UpdatedProjectActivity', data: { project: project.id } }]);
    expect(await rowsOf(developer.api.get<{ results: Diagram[] }>('/project-diagrams/'))).toHaveLength(1);
    expect(await rowsOf(stranger.api.get<{ results: Diagram[] }>('/project-diagrams/'))).toEqual([]);
    await changesNothing(test, async () => {
      await bodyOf(developer.api.post('/project-diagrams/', body), 403);
      await bodyOf(developer.api.patch(`/project-diagrams/${id}/`, { name: 'y' }), 403);
      // A 403 takes precedence over errors in the body.
      await bodyOf(developer.api.post('/project-diagrams/', { ...body, name: 5 }), 403);
      await bodyOf(developer.api.patch(`/project-diagrams/${id}/`, { name: 5 }), 403);
      await bodyOf(developer.api.patch(`/project-diagrams/${id}/`, {}), 403);
      await bodyOf(developer.api.delete(`/project-diagrams/${id}/`), 403);
      expect(await rejectedFields(stranger.api.post('/project-diagrams/', body))).toEqual(['project']);
      for (const method of ['GET', 'PATCH', 'DELETE'])
        await bodyOf(stranger.api.send(method, `/project-diagrams/${id}/`), 404);
    });
    await bodyOf(architect.api.delete(`/project-diagrams/${id}/`), 204);
    await bodyOf(architect.api.get(`/project-diagrams/${id}/`), 404);
  });

  it('are deleted only once by concurrent requests, with one activity', async () => {
    const { id: project } = await makeProject(test);
    for (let round = 0; round < 5; round += 1) {
      const body = { project, name: 'x', diagram_data: {} };
      const { id } = await bodyOf(test.api.post<Diagram>('/project-diagrams/', body), 201);
      const activities = await activitiesOf(test, async () => {
        const remove = () => test.api.delete(`/project-diagrams/${id}/`);
        const answers = await Promise.all([remove(), remove()]);
        expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 404]);
      });
      expect(activities).toHaveLength(1);
    }
  });
});
