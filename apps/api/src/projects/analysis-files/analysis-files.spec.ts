import { sarifLog, sarifRule, sarifRun } from '#test/support/analysis-reports.js';
import { useTestApi } from '#test/support/api.js';
import { type Answer, type ApiClient, bodyOf, type Json, rejectedFields } from '#test/support/client.js';
import { makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import { addMember } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';

const test = useTestApi();

interface Matches {
  matched: number;
  unmatched: number;
}

interface Taken {
  id: string;
  tasks: { id: string; verification_status: string }[];
  results: Matches;
  rules: Matches;
  unmatched_rules: string[];
  warnings: string[];
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

/** A project with a custom countermeasure of a weakness with these CWEs. */
async function withWeakness(...cwe: number[]) {
  const project = await makeEmptyProject(test);
  const { id: problem } = await makeWeakness(test.api, { cwe });
  const task = await makeCountermeasure(test.api, { problem });
  await addCountermeasures(test, project, [task.id]);
  const path = `/projects/${project.id}/tasks/${task.id}/`;
  const status = async (): Promise<string> =>
    (await bodyOf(test.api.get<{ verification_status: string }>(path))).verification_status;
  const upload = (system: string, report: string) => bodyOf(send({ project: project.id, system }, report), 201);
  return { project, problem, task: `${project.id}-${task.id}`, path, status, upload };
}

const XSS = sarifRule('xss', 79);
const FOUND = { ruleId: 'xss', message: { text: 'in /search' } };
const FAILING = sarifLog(sarifRun([XSS], [FOUND]));
const CLEAN = sarifLog(sarifRun([XSS], []));

describe('Results of several tools', () => {
  it('are kept for each tool, and the worst counts', async () => {
    const { upload, status } = await withWeakness(79);
    await upload('semgrep', FAILING);
    await upload('codeql', CLEAN);
    expect(await status()).toBe('fail');
    await upload('semgrep', CLEAN);
    expect(await status()).toBe('pass');
    await upload('codeql', FAILING);
    expect(await status()).toBe('fail');
  });

  it('are replaced by an analysis note without a tool', async () => {
    const { upload, status, path } = await withWeakness(79);
    await upload('semgrep', FAILING);
    await upload('codeql', FAILING);
    await bodyOf(test.api.post(`${path}analysis-notes/`, { status: 'partial', behaviour: 'combine' }), 201);
    expect(await status()).toBe('fail');
    await bodyOf(test.api.post(`${path}analysis-notes/`, { status: 'pass' }), 201);
    expect(await status()).toBe('pass');
    await upload('codeql', FAILING);
    expect(await status()).toBe('fail');
  });

  it('in one file give the worst status of these tools', async () => {
    const { upload, status } = await withWeakness(79);
    const other = { tool: { driver: { name: 'Other', rules: [XSS] } }, results: [] };
    await upload('ci', sarifLog(sarifRun([XSS], [FOUND]), other));
    expect(await status()).toBe('fail');
  });
});

describe('A report without a verdict', () => {
  it('changes no status and says why', async () => {
    const { upload, status } = await withWeakness(79);
    const crashed = sarifLog(sarifRun([XSS], [], { invocations: [{ executionSuccessful: false }] }));
    for (const report of [crashed, sarifLog(sarifRun([XSS], undefined)), sarifLog(sarifRun([], []))]) {
      expect(await upload('semgrep', report)).toMatchObject({ tasks: [] });
      expect(await status()).toBe('none');
    }
    await upload('semgrep', FAILING);
    expect(await upload('semgrep', crashed)).toMatchObject({
      tasks: [],
      rules: { matched: 1, unmatched: 0 },
      warnings: ['The run of Scan failed, so it verifies nothing: only its findings count.'],
    });
    expect(await status()).toBe('fail');
  });
});

describe('A policy that requires a verification', () => {
  it('is met by a scan that succeeded, not by one that crashed or by another tool', async () => {
    const { project, upload } = await withWeakness(79);
    const conditions = { statuses: [{ task_status: 'TS2', minimum_verification_status: 'pass' }] };
    const body = { name: unique('Policy'), filters: {}, conditions };
    const { id } = await bodyOf(test.api.post<{ id: number }>('/risk-policies/', body), 201);
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { risk_policy: id }));
    const isCompliant = async () => {
      await test.database.query('UPDATE project SET survey_complete = true WHERE id = $1', [project.id]);
      const shown = test.api.get<{ risk_policy_compliant: boolean | null }>(`/projects/${project.id}/`);
      return (await bodyOf(shown)).risk_policy_compliant;
    };
    await isCompliant();
    await upload('semgrep', FAILING);
    expect(await isCompliant()).toBe(false);
    await upload('semgrep', sarifLog(sarifRun([XSS], [], { invocations: [{ executionSuccessful: false }] })));
    await upload('codeql', CLEAN);
    expect(await isCompliant()).toBe(false);
    await upload('semgrep', CLEAN);
    expect(await isCompliant()).toBe(true);
  });
});

describe('The response to a report', () => {
  it('counts the results and rules that belong to countermeasures, and lists the other rules', async () => {
    const { upload, task } = await withWeakness(79);
    const rules = [XSS, sarifRule('path', 22), { id: 'style' }, { id: 'odd\0\ud800' }];
    const results = [FOUND, FOUND, { ruleId: 'style' }, { ruleId: 'undeclared' }];
    expect(await upload('scan', sarifLog(sarifRun(rules, results)))).toMatchObject({
      tasks: [{ id: task, verification_status: 'fail' }],
      results: { matched: 2, unmatched: 2 },
      rules: { matched: 1, unmatched: 4 },
      unmatched_rules: ['path', 'style', 'odd\ufffd', 'undeclared'],
      warnings: [],
    });
    expect(await upload('junit', junit('T999', 'x', 'y'))).toMatchObject({
      results: { matched: 0, unmatched: 3 },
      unmatched_rules: ['T999', 'x', 'y'],
    });
  });

  it('lists at most 100 rules', async () => {
    const { upload } = await withWeakness(79);
    const rules = Array.from({ length: 150 }, (_, n) => ({ id: `r${n}` }));
    const { rules: counted, unmatched_rules: listed } = await upload('scan', sarifLog(sarifRun(rules, [])));
    expect([counted.unmatched, listed.length]).toEqual([150, 100]);
  });
});

describe('Rules without CWEs', () => {
  const toolLog = (name: string, ...ids: string[]): string =>
    sarifLog({
      tool: { driver: { name, rules: ids.map((id) => ({ id })) } },
      results: ids.map((ruleId) => ({ ruleId, level: 'error', message: { text: 'x' } })),
    });

  it.each([
    ['ESLint', 'security/detect-eval-with-expression', 95],
    ['ESLint', 'no-unsanitized/property', 79],
    ['Trivy', 'CVE-2023-0464', 1395],
    ['Trivy', 'GHSA-xxxx-yyyy', 1395],
    ['gitleaks', 'generic-api-key', 798],
  ])('of %s are mapped by default, such as %s', async (tool, rule, cwe) => {
    const { upload, status } = await withWeakness(cwe);
    expect(await upload('nightly', toolLog(tool, rule))).toMatchObject({ results: { matched: 1, unmatched: 0 } });
    expect(await status()).toBe('fail');
  });

  it('are mapped to a CWE or a weakness by the organization, before the built-in mappings', async () => {
    const { upload, status, problem } = await withWeakness(1004);
    const map = (body: object) => bodyOf(test.api.post('/library/rule-mappings/', body), 201);
    await map({ system: 'nightly', rule_pattern: 'A.*_%/x', weakness: problem });
    expect(await upload('Nightly', toolLog('Any', 'a-1_%/x', 'A.1x%/x'))).toMatchObject({ tasks: [] });
    expect(await upload('Nightly', toolLog('Any', 'a.12_%/X'))).toMatchObject({ rules: { matched: 1 } });
    expect(await status()).toBe('fail');
    const eval95 = await withWeakness(95);
    await map({ system: 'eslint', rule_pattern: 'no-eval', cwe: 1004 });
    expect(await eval95.upload('x', toolLog('ESLint', 'no-eval'))).toMatchObject({ tasks: [] });
    expect(await eval95.upload('x', toolLog('ESLint', 'no-implied-eval'))).toMatchObject({ rules: { matched: 1 } });
  });

  it('are not mapped by another organization or for another tool', async () => {
    const { upload } = await withWeakness(1004);
    const other = await test.newOrganization();
    await bodyOf(other.api.post('/library/rule-mappings/', { system: 'any', rule_pattern: '*', cwe: 1004 }), 201);
    await bodyOf(test.api.post('/library/rule-mappings/', { system: 'else', rule_pattern: '*', cwe: 1004 }), 201);
    expect(await upload('any', toolLog('Any', 'x'))).toMatchObject({ tasks: [], rules: { matched: 0, unmatched: 1 } });
  });
});

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
