import { useTestApi } from '#test/support/api.js';
import { type Answer, type ApiClient, bodyOf, type Json, rejectedFields } from '#test/support/client.js';
import { makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import { addMember } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';

const test = useTestApi();

interface Taken {
  id: string;
  tasks: { id: string; verification_status: string }[];
}

const junit = (...names: string[]): string =>
  `<testsuite>${names.map((name) => `<testcase name="${name.replace('!', '')}">${name.endsWith('!') ? '<failure message="no"/>' : ''}</testcase>`).join('')}</testsuite>`;

/** Sends a form like browsers and CI tools; the file comes first, so that the fields arrive late. */
function send<Body = Taken>(
  fields: Record<string, string | number>,
  report?: string,
  api: ApiClient = test.api,
): Promise<Answer<Body>> {
  const boundary = 'x-boundary';
  const parts = [
    ...(report === undefined
      ? []
      : [
          `Content-Disposition: form-data; name="report_file"; filename="report.xml"\r\nContent-Type: text/xml\r\n\r\n${report}`,
        ]),
    ...Object.entries(fields).map(([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`),
  ];
  const raw = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
  return api.send<Body>('POST', '/jobs/analysis-file/', undefined, {
    raw,
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  });
}

describe('Uploading an analysis file', () => {
  it('sets the verification status of countermeasures and records its findings as analysis notes', async () => {
    const project = await makeEmptyProject(test);
    await addCountermeasures(test, project, ['T1', 'T2', 'T3', 'T4']);
    await bodyOf(test.api.patch(`/projects/${project.id}/tasks/T4/`, { accepted: false }));
    const { id, tasks } = await bodyOf(
      send({ project: project.id, system: 'junit' }, junit('T1 works', 'T2 works!', 'T3 a', 'T3 b!', 'T4', 'T999')),
      201,
    );
    expect(tasks).toEqual([
      { id: `${project.id}-T1`, verification_status: 'pass' },
      { id: `${project.id}-T2`, verification_status: 'fail' },
      { id: `${project.id}-T3`, verification_status: 'partial' },
    ]);
    const path = `/projects/${project.id}/tasks/T2/`;
    expect(await bodyOf(test.api.get(path))).toMatchObject({ verification_status: 'fail' });
    expect(await bodyOf(test.api.get(`${path}analysis-notes/`))).toMatchObject({
      results: [
        {
          status: 'fail',
          analysis_session: id,
          finding_ref: 'junit: report.xml',
          findings: [{ desc: 'T2 works: no', count: 1 }],
        },
      ],
    });
    await bodyOf(send({ project: project.id, system: 'junit' }, junit('T2 works')), 201);
    expect(await bodyOf(test.api.get(path))).toMatchObject({ verification_status: 'pass' });
  });

  it('verifies the countermeasures of weaknesses whose CWEs the file reports', async () => {
    const project = await makeEmptyProject(test);
    const { id: problem } = await makeWeakness(test.api, { cwe: [79, 80] });
    const task = await makeCountermeasure(test.api, { problem });
    await addCountermeasures(test, project, [task.id]);
    const log = {
      runs: [
        {
          tool: { driver: { name: 'x', rules: [{ id: 'xss', properties: { tags: ['external/cwe/cwe-79'] } }] } },
          results: [{ ruleId: 'xss', message: { text: 'in /search' } }],
        },
      ],
    };
    const activities = await activitiesOf(test, async () => {
      const { tasks } = await bodyOf(send({ project: project.id, system: 'codeql' }, JSON.stringify(log)), 201);
      expect(tasks).toEqual([{ id: `${project.id}-${task.id}`, verification_status: 'fail' }]);
    });
    expect(activities.map(({ name }) => name)).toEqual(['AddedNoteActivity']);
  });

  it('rejects unreadable files and missing or invalid fields, and changes nothing', async () => {
    const project = await makeEmptyProject(test);
    await addCountermeasures(test, project, ['T1']);
    const fields = { project: project.id, system: 'junit' };
    const theirs = await makeEmptyProject(test, { organization: await test.newOrganization() });
    const bomb = `<!DOCTYPE x [<!ENTITY a "T1">]><testsuite><testcase name="&a;"/></testsuite>`;
    const cases: [Record<string, string | number>, string | undefined, string[]][] = [
      [fields, undefined, ['report_file']],
      [fields, '', ['report_file']],
      [fields, 'nothing of the kind', ['report_file']],
      [fields, bomb, ['report_file']],
      [fields, '<testsuite><testcase', ['report_file']],
      [{}, junit('T1'), ['project', 'system']],
      [{ project: 'x', system: ' ' }, junit('T1'), ['project', 'system']],
      [{ ...fields, project: theirs.id }, junit('T1'), ['project']],
      [{ ...fields, project: 999_999 }, junit('T1'), ['project']],
      [{ ...fields, system: 'x'.repeat(201) }, junit('T1'), ['system']],
    ];
    for (const [given, report, rejected] of cases)
      expect([given, (await changesNothing(test, () => rejectedFields(send<Json>(given, report)))).sort()]).toEqual([
        given,
        rejected,
      ]);
    await bodyOf(test.api.post('/jobs/analysis-file/', fields), 415);
  });

  it('is allowed only for project leads and testers', async () => {
    const project = await makeEmptyProject(test);
    await addCountermeasures(test, project, ['T1']);
    for (const [role, status] of [
      ['PR1', 201],
      ['PR2', 403],
      ['PR3', 201],
      ['PR4', 403],
      ['PR5', 403],
    ] as const) {
      const user = await test.newUser();
      await addMember(test, project, user, role);
      await bodyOf(send({ project: project.id, system: 'x' }, junit('T1'), user.api), status);
    }
  });
});
