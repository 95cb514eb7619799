import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { addCountermeasures, makeEmptyProject, type ProjectCountermeasure } from '#test/support/project-content.js';
import { addMember, type TestProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List, UserReference } from '#test/support/resources.js';

const test = useTestApi();

interface Note {
  id: number;
  text: string;
  automatic: boolean;
  task: string;
  updater: UserReference | null;
}

interface AnalysisNote {
  id: number;
  status: string;
  behaviour: string;
  findings: object[];
}

async function withOne(): Promise<{ project: TestProject; task: string; path: string }> {
  const project = await makeEmptyProject(test);
  await addCountermeasures(test, project, ['T1']);
  const task = `${project.id}-T1`;
  return { project, task, path: `/projects/${project.id}/tasks/${task}/` };
}

const show = (path: string): Promise<ProjectCountermeasure> => bodyOf(test.api.get<ProjectCountermeasure>(path));

describe('Notes on a project countermeasure', () => {
  it('are created with 201, listed in order of creation, counted and updated', async () => {
    const { task, path } = await withOne();
    const first = await bodyOf(test.api.post<Note>(`${path}notes/`, { text: 'One' }), 201);
    expect(first).toMatchObject({
      text: 'One',
      automatic: false,
      task,
      updater: { email: test.organization.admin.email },
    });
    const second = await bodyOf(test.api.post<Note>(`${path}notes/`, { text: 'Two' }), 201);
    expect(await bodyOf(test.api.patch(`${path}notes/${first.id}/`, { text: 'Uno' }))).toMatchObject({ text: 'Uno' });
    const rows = await rowsOf(test.api.get<List<Note>>(`${path}notes/`));
    expect(rows.map(({ id, text }) => [id, text])).toEqual([
      [first.id, 'Uno'],
      [second.id, 'Two'],
    ]);
    expect(await show(path)).toMatchObject({ note_count: 2 });
  });

  it("are found under both forms of their countermeasure's id, and under no other countermeasure", async () => {
    const { project, path } = await withOne();
    await addCountermeasures(test, project, ['T2']);
    const { id } = await bodyOf(test.api.post<Note>(`${path}notes/`, { text: 'x' }), 201);
    const below = (task: string): string => `/projects/${project.id}/tasks/${task}/notes/${id}/`;
    await bodyOf(test.api.get(below('T1')));
    const other = await withOne();
    for (const where of [below('T2'), below('T9'), `${other.path}notes/${id}/`, below(`${other.project.id}-T1`)])
      for (const method of ['GET', 'PATCH'])
        expect(
          await changesNothing(test, () =>
            bodyOf(test.api.send(method, where, method === 'GET' ? undefined : { text: 'y' }), 404),
          ),
        ).toEqual({ detail: 'Not found.' });
    for (const odd of ['0', 'x', '9'.repeat(40), '%00', '1e3'])
      await bodyOf(test.api.patch(`${path}notes/${odd}/`, { text: 'y' }), 404);
    await bodyOf(test.api.post(`/projects/${project.id}/tasks/T9/notes/`, { text: 'x' }), 404);
  });

  it('are rejected if the text is missing, empty, too long or invalid', async () => {
    const { path } = await withOne();
    for (const text of [undefined, '', '  ', null, 5, 'x'.repeat(100_001), 'a\0', '\udfff'])
      expect(await changesNothing(test, () => rejectedFields(test.api.post(`${path}notes/`, { text })))).toEqual([
        'text',
      ]);
  });

  it('record an activity with the project and the countermeasure', async () => {
    const { project, task, path } = await withOne();
    const activities = await activitiesOf(test, async () => {
      const { id } = await bodyOf(test.api.post<Note>(`${path}notes/`, { text: 'x' }), 201);
      await bodyOf(test.api.patch(`${path}notes/${id}/`, { text: 'y' }));
      await bodyOf(test.api.patch(`${path}notes/${id}/`, {}));
    });
    expect(activities).toMatchObject(
      ['AddedNoteActivity', 'UpdatedNoteActivity'].map((name) => ({
        name,
        icon: 'note',
        data: { task, project: project.id, project_desc: project.name, standard: 'T1' },
      })),
    );
  });
});

describe('A note of someone else', () => {
  /** A note of the lead, and the same project as a developer of it sees it. */
  async function ofTheLead() {
    const { project, path } = await withOne();
    const developer = await test.newUser();
    await addMember(test, project, developer, 'PR4');
    const note = await bodyOf(test.api.post<Note>(`${path}notes/`, { text: 'Accepted by the lead.' }), 201);
    return { project, path, developer, at: `${path}notes/${note.id}/` };
  }

  it('can be neither changed nor deleted by a developer of the project', async () => {
    const { developer, at } = await ofTheLead();
    for (const [method, body] of [
      ['PATCH', { text: 'Never mind.' }],
      ['DELETE', undefined],
    ] as const)
      expect(await changesNothing(test, () => bodyOf(developer.api.send(method, at, body), 403))).toEqual({
        detail: 'Only its author and leads of the project may do this.',
      });
  });

  it('can be changed and deleted by a lead of the project, and the activity keeps its previous text', async () => {
    const { path, developer } = await ofTheLead();
    const { id } = await bodyOf(developer.api.post<Note>(`${path}notes/`, { text: 'Done **today**.' }), 201);
    const activities = await activitiesOf(test, async () => {
      await bodyOf(test.api.patch(`${path}notes/${id}/`, { text: 'Done.' }));
      await bodyOf(test.api.delete(`${path}notes/${id}/`), 204);
    });
    expect(activities).toMatchObject([
      { name: 'UpdatedNoteActivity', data: { previous_desc: 'Done **today**.' } },
      { name: 'DeletedNoteActivity', data: { previous_desc: 'Done.' } },
    ]);
    await bodyOf(test.api.get(`${path}notes/${id}/`), 404);
  });

  it('remains its author’s after a lead has changed it', async () => {
    const { path, developer } = await ofTheLead();
    const { id } = await bodyOf(developer.api.post<Note>(`${path}notes/`, { text: 'Mine' }), 201);
    await bodyOf(test.api.patch(`${path}notes/${id}/`, { text: 'Ours' }));
    await bodyOf(developer.api.patch(`${path}notes/${id}/`, { text: 'Mine again' }));
    await bodyOf(developer.api.delete(`${path}notes/${id}/`), 204);
  });
});

describe('Analysis notes on a project countermeasure', () => {
  const find = (path: string, fields: object): Promise<AnalysisNote> =>
    bodyOf(test.api.post<AnalysisNote>(`${path}analysis-notes/`, fields), 201);

  it('set its verification status', async () => {
    const { task, path } = await withOne();
    expect((await show(path)).verification_status).toBe('none');
    const created = await find(path, {
      status: 'fail',
      confidence: 'low',
      analysis_session: 'nightly-1',
      findings: [{ desc: 'SQL injection', count: 3 }, { desc: 'XSS' }],
      findings_ref: 'https://scan.example.com/1',
    });
    expect(created).toMatchObject({
      status: 'fail',
      behaviour: 'replace',
      confidence: 'low',
      analysis_session: 'nightly-1',
      findings: [
        { desc: 'SQL injection', count: 3 },
        { desc: 'XSS', count: 1 },
      ],
      finding_ref: 'https://scan.example.com/1',
      findings_ref: 'https://scan.example.com/1',
      task,
    });
    const { id: updater } = test.organization.admin;
    expect(await show(path)).toMatchObject({ verification_status: 'fail', updater: { id: updater } });
    await find(path, { status: 'pass' });
    expect((await show(path)).verification_status).toBe('pass');
  });

  it('are manual without a session and accept an empty object for no findings', async () => {
    const { path } = await withOne();
    const manual = { analysis_session: null, findings: [], analysis_type: { slug: 'manual', name: 'Manual' } };
    for (const fields of [{ analysis_session: null, findings: {} }, {}, { analysis_session: '' }])
      expect(await find(path, { status: 'pass', ...fields })).toMatchObject(manual);
    const run = { analysis_session: 'nightly-1', findings: [{ desc: 'x', count: 1 }] };
    const found = await find(path, { status: 'pass', ...run });
    const automated = { slug: 'automated', name: 'Automated' };
    expect(found).toMatchObject({ ...run, analysis_type: automated });
    const change = (body: object) => bodyOf(test.api.strict.patch(`${path}analysis-notes/${found.id}/`, body));
    expect(await change({ analysis_session: null, findings: {} })).toMatchObject(manual);
    expect(
      await rejectedFields(test.api.post(`${path}analysis-notes/`, { status: 'pass', findings: { a: 1 } })),
    ).toEqual(['findings']);
  });

  it('combine with earlier results on request, so that the worst result counts', async () => {
    const { path } = await withOne();
    const steps = [
      ['pass', 'combine', 'pass'],
      ['partial', 'combine', 'partial'],
      ['pass', 'combine', 'partial'],
      ['fail', 'combine', 'fail'],
      ['pass', 'combine', 'fail'],
      ['partial', 'replace', 'partial'],
      ['pass', 'combine', 'partial'],
      ['pass', 'replace', 'pass'],
    ] as const;
    for (const [status, behaviour, expected] of steps) {
      await find(path, { status, behaviour });
      expect([status, behaviour, (await show(path)).verification_status]).toEqual([status, behaviour, expected]);
    }
  });

  it('can be changed, and the verification status follows', async () => {
    const { path } = await withOne();
    const { id } = await find(path, { status: 'fail', findings: [{ desc: 'x', count: 2 }] });
    expect(
      await bodyOf(test.api.patch(`${path}analysis-notes/${id}/`, { status: 'pass', findings: [] })),
    ).toMatchObject({ status: 'pass', findings: [] });
    expect((await show(path)).verification_status).toBe('pass');
    const later = await find(path, { status: 'fail', behaviour: 'combine' });
    await bodyOf(test.api.patch(`${path}analysis-notes/${later.id}/`, { status: 'partial' }));
    expect((await show(path)).verification_status).toBe('partial');
    await changesNothing(test, () => bodyOf(test.api.patch(`${path}analysis-notes/${later.id}/`, {})));
  });

  it('keep the previous result in the activity of a change', async () => {
    const { path } = await withOne();
    const { id } = await find(path, { status: 'fail', findings: [{ desc: 'x', count: 2 }] });
    const activities = await activitiesOf(test, () =>
      bodyOf(test.api.patch(`${path}analysis-notes/${id}/`, { status: 'pass' })),
    );
    expect(activities).toMatchObject([{ name: 'UpdatedNoteActivity', data: { previous_desc: 'fail: 2 × x' } }]);
  });

  it('are rejected with an invalid body, and change nothing', async () => {
    const { path } = await withOne();
    const wrong: [object, string[]][] = [
      [{}, ['status']],
      [{ status: 'none' }, ['status']],
      [{ status: 'pass', behaviour: 'merge' }, ['behaviour']],
      [{ status: 'pass', confidence: 'medium' }, ['confidence']],
      [{ status: 'pass', findings: 'x' }, ['findings']],
      [{ status: 'pass', findings: ['x'] }, ['findings']],
      [{ status: 'pass', findings: [{ count: 1 }] }, ['findings']],
      [{ status: 'pass', findings: [{ desc: 'x', count: -1 }] }, ['findings']],
      [{ status: 'pass', findings: [{ desc: 'x', count: 1e20 }] }, ['findings']],
      [{ status: 'pass', finding_ref: 'a', findings_ref: 'b' }, ['non_field_errors']],
      [{ status: 'pass', analysis_session: 7 }, ['analysis_session']],
    ];
    for (const [body, fields] of wrong)
      expect([
        body,
        await changesNothing(test, () => rejectedFields(test.api.post(`${path}analysis-notes/`, body))),
      ]).toEqual([body, fields]);
  });

  it('record the activity of a note', async () => {
    const { task, path } = await withOne();
    const activities = await activitiesOf(test, () => find(path, { status: 'pass' }));
    expect(activities).toMatchObject([{ name: 'AddedNoteActivity', data: { task } }]);
  });
});
