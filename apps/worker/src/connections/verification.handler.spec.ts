import { EntityManager } from '@mikro-orm/postgresql';
import { VerificationReader } from '#domain/connections/verification-run/verification-run.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeConnector } from '#test/support/connectors.js';
import {
  type FakeSonarQube,
  SONARQUBE_TOKEN,
  type SonarQubeBranch,
  startFakeSonarQube,
} from '#test/support/fake-sonarqube.js';
import { makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import type { TestProject } from '#test/support/projects.js';
import { VerificationHandler } from './verification.handler.js';

interface Connection {
  id: number;
  next_run: string | null;
  last_run: string | null;
  error: string | null;
  tasks_verified: number;
}

interface Note {
  status: string;
  findings: { desc: string; count: number }[];
  finding_ref: string;
}

const SQL = { key: 'java:S3649', name: 'Queries need parameters', cwes: [89], language: 'java' };
const SHELL = { key: 'java:S2076', name: 'Commands need lists', cwes: [78, 89], language: 'java' };
const BASE: SonarQubeBranch = { languages: ['java', 'xml'], rules: [SQL, SHELL] };
const SQL_ISSUE = { rule: SQL.key, severity: 'BLOCKER' };

const test = useTestApi({ CONNECTION_ALLOW_PRIVATE: 'true', CONNECTION_TIMEOUT_SECONDS: '2' });
let sonarQube: FakeSonarQube;
let handler: VerificationHandler;
let project: TestProject;
let path: string;
let taskPath: string;
let connection: number;
const logged: unknown[] = [];

beforeAll(async () => {
  sonarQube = await startFakeSonarQube();
  const { app } = test.running;
  handler = new VerificationHandler(
    app.get(EntityManager),
    new VerificationReader(app.get(Settings), app.get(SecretBox)),
    { error: (entry: unknown) => logged.push(entry) } as never,
  );
});
beforeEach(() => sonarQube.answer({}));
afterAll(() => sonarQube.stop());

/** A new project with a countermeasure against SQL injection, connected to a project of SonarQube with some results. */
const connect = async (content: SonarQubeBranch, fields: object = {}): Promise<void> => {
  project = await makeEmptyProject(test);
  const key = `acme:${project.id}`;
  sonarQube.setBranch(key, '', content);
  const { id: problem } = await makeWeakness(test.api, { cwe: [89] });
  const { id } = await makeCountermeasure(test.api, { problem });
  await addCountermeasures(test, project, [id]);
  taskPath = `/projects/${project.id}/tasks/${id}/`;
  const params = { url: sonarQube.url, token: SONARQUBE_TOKEN };
  const { id: connector } = await makeConnector(test.api, '/connectors/analysis/', { params });
  const base = `/projects/${project.id}/verification-connections/`;
  const body = { connector, project_key: key, ...fields };
  connection = (await bodyOf(test.api.post<Connection>(base, body), 201)).id;
  path = `${base}${connection}/`;
};
const set = (content: SonarQubeBranch, branch = ''): void => sonarQube.setBranch(`acme:${project.id}`, branch, content);
/** Takes what is due, as a worker would. */
const turn = (): Promise<void> =>
  handler.handle({ id: connection, fence: 0 }, { signal: new AbortController().signal, isClosing: () => false });
const shown = (): Promise<Connection> => bodyOf(test.api.get<Connection>(path));
const run = async (): Promise<Connection> => {
  await bodyOf(test.api.post(`${path}sync/`), 202);
  await turn();
  return shown();
};
const task = (): Promise<{ verification_status: string; status: string }> => bodyOf(test.api.get(taskPath));
const verification = async (): Promise<string> => (await task()).verification_status;
const statusOf = async (): Promise<string> => JSON.stringify((await task()).status);
const notes = (): Promise<Note[]> => rowsOf(test.api.get<{ results: Note[] }>(`${taskPath}analysis-notes/`));
const upload = (status: string): Promise<unknown> =>
  test.database.query(
    `INSERT INTO project_countermeasure_analysis (project_countermeasure_id, system, status)
     SELECT id, 'semgrep', $2 FROM project_countermeasure WHERE project_id = $1`,
    [project.id, status],
  );

describe('A run of a verification connection', () => {
  it('fails countermeasures whose weakness has an open issue, with rule, severity and number', async () => {
    await connect({ ...BASE, issues: [SQL_ISSUE, SQL_ISSUE] });
    expect(await run()).toMatchObject({ error: null, tasks_verified: 1, last_run: expect.any(String) });
    expect(await verification()).toBe('partial');
    expect(await notes()).toMatchObject([
      {
        status: 'partial',
        findings: [{ desc: 'BLOCKER java:S3649: Queries need parameters', count: 2 }],
        finding_ref: `sonarqube: acme:${project.id}`,
      },
    ]);
  });

  it('passes if every active rule for the weakness has no open issue', async () => {
    await connect(BASE);
    await run();
    expect(await verification()).toBe('pass');
  });

  it.each<[string, SonarQubeBranch]>([
    [
      'no rule for the weakness is active',
      { languages: ['go'], rules: [{ ...SQL, key: 'go:S1', language: 'go', active: false }] },
    ],
    ['no code is in the language of the rules', { ...BASE, languages: ['xml'] }],
  ])('says nothing if %s', async (_, content) => {
    await connect(content);
    expect(await run()).toMatchObject({ error: null, tasks_verified: 0 });
    expect(await verification()).toBe('none');
  });

  it.each([
    ['passes with', { status: 'REVIEWED', resolution: 'SAFE' }, 'pass'],
    ['passes with', { status: 'REVIEWED', resolution: 'FIXED' }, 'pass'],
    ['passes only in part with', { status: 'TO_REVIEW' }, 'partial'],
    ['fails in part with', { status: 'REVIEWED', resolution: 'ACKNOWLEDGED' }, 'partial'],
  ] as const)('%s a hotspot that is %j', async (_, hotspot, expected) => {
    await connect({ ...BASE, hotspots: [{ rule: SQL.key, ...hotspot }] });
    await run();
    expect(await verification()).toBe(expected);
  });

  it('counts all pages of issues, and asks about fewer rules if there are more than SonarQube lists', async () => {
    const issues = Array.from({ length: 10_600 }, (_, index) =>
      index % 2 ? SQL_ISSUE : { ...SQL_ISSUE, rule: SHELL.key },
    );
    await connect({ ...BASE, issues });
    expect(await run()).toMatchObject({ error: null });
    const [note] = await notes();
    expect(note?.findings.map(({ count }) => count)).toEqual([5300, 5300]);
    expect(await verification()).toBe('fail');
  });

  it('reads the branch that the connection names', async () => {
    await connect(BASE, { branch: 'release' });
    expect(await run()).toMatchObject({ error: expect.stringContaining('does not show the project, or its branch') });
    set({ ...BASE, issues: [SQL_ISSUE] }, 'release');
    expect(await run()).toMatchObject({ error: null });
    expect(await verification()).toBe('partial');
  });

  it.each(['replace', 'replace_same_tool', 'combine'])('merges its results by `%s`', async (merge) => {
    await connect({ ...BASE, issues: [SQL_ISSUE] }, { merge });
    await run();
    await upload('fail');
    set(BASE);
    await run();
    // Its own partial result is gone unless it combines, and the failure of another tool is gone if it replaces all.
    expect(await verification()).toBe(merge === 'replace' ? 'pass' : 'fail');
    await test.database.query(`UPDATE project_countermeasure_analysis SET status = 'pass' WHERE system = 'semgrep'`);
    await run();
    expect(await verification()).toBe(merge === 'combine' ? 'partial' : 'pass');
  });

  it('changes the status with `update_status` when the result changes, and respects what people decide then', async () => {
    await connect(BASE, { update_status: true });
    await run();
    expect(await statusOf()).toContain('TS1');
    set({ ...BASE, issues: [SQL_ISSUE] });
    await run();
    expect(await statusOf()).toContain('TS2');
    const complete = { status: 'TS1', status_note: 'Checked by hand.' };
    await bodyOf(test.api.patch(taskPath, complete));
    await run();
    expect(await statusOf()).toContain('TS1');
  });

  it('does not change the status without `update_status`', async () => {
    await connect(BASE);
    const before = await statusOf();
    await run();
    expect(await statusOf()).toBe(before);
  });

  it('changes nothing if SonarQube fails, says why, and repeats a scheduled run earlier', async () => {
    await connect(BASE, { frequency: 'weekly' });
    await run();
    for (const [at, answer, error] of [
      ['/api/issues/search', { status: 500, body: {} }, 'SonarQube returned 500 for /api/issues/search.'],
      [
        '/api/issues/search',
        { body: { issues: 'none' } },
        'The response for /api/issues/search is not from SonarQube.',
      ],
      [
        '/api/hotspots/search',
        {
          body: {
            paging: { pageIndex: 1, pageSize: 500, total: 1 },
            hotspots: [{ project: `acme:${project.id}`, vulnerabilityProbability: 'HIGH', status: 'TO_REVIEW' }],
          },
        },
        'SonarQube does not say which rules its hotspots belong to: update it to 9.7 or later.',
      ],
      ['/api/project_analyses/search', { body: { analyses: [] } }, 'SonarQube has not analysed the project yet.'],
      ['/api/authentication/validate', { body: { valid: false } }, 'SonarQube does not accept the token.'],
      ['/api/rules/search', 'hang', 'SonarQube is not reachable. Super-users can test the connection to see why.'],
    ] as const) {
      sonarQube.answer({ [at]: answer });
      const { error: reported, next_run: next } = await run();
      expect([at, reported]).toEqual([at, error]);
      expect(Date.parse(next ?? '') - Date.now()).toBeLessThan(24 * 3_600_000);
      expect(await verification()).toBe('pass');
    }
    expect(await notes()).toHaveLength(1);
    expect(logged).toEqual([]);
  });

  it('is due again by its frequency, and only once', async () => {
    await connect(BASE, { frequency: 'hourly' });
    await turn();
    expect(await shown()).toMatchObject({ last_run: null });
    const { next_run: next } = await run();
    expect(Date.parse(next ?? '') - Date.now()).toBeGreaterThan(3_500_000);
    await turn();
    expect(await notes()).toHaveLength(1);
  });

  it('runs no more than once at a time, and leaves what another worker has taken over', async () => {
    await connect(BASE);
    await bodyOf(test.api.post(`${path}sync/`), 202);
    await Promise.all([turn(), turn(), turn()]);
    expect(await notes()).toHaveLength(1);
  });
});
