import { once } from 'node:events';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { parse } from 'yaml';
import { readInPieces, sarifLog, sarifRule, sarifRun, verdictsOf } from '#test/support/analysis-reports.js';
import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import type { TestProject } from '#test/support/projects.js';
import type { List } from '#test/support/resources.js';
import { temporaryFolder } from '#test/support/worker.js';
import { runGate, runProgram } from './run-gate.js';

const test = useTestApi();
const packageFolder = path.resolve(import.meta.dirname, '../../packages/gate');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder.remove());

const inFolder = (name: string): string => path.join(folder.path, name);
const tokenOf = (): string => test.organization.admin.token;

const gate = (project: { id: number }, ...words: string[]) =>
  runGate(['--url', test.origin, '--project', String(project.id), ...words], { MERLON_TOKEN: tokenOf() });

const completeSurvey = (project: TestProject): Promise<unknown> =>
  test.database.query('UPDATE project SET survey_complete = true WHERE id = $1', [project.id]);

/** A project with a complete survey and these countermeasures, which are open. */
async function withOpen(...tasks: readonly string[]): Promise<TestProject> {
  const project = await makeEmptyProject(test);
  await addCountermeasures(test, project, tasks);
  await completeSurvey(project);
  return project;
}

const makePolicy = (fields: object = {}): Promise<{ id: number }> =>
  bodyOf(test.api.post<{ id: number }>('/risk-policies/', { name: unique('Policy'), ...fields }), 201);

/** Answers requests in place of Merlon. */
async function withServer<Result>(listener: RequestListener, use: (origin: string) => Promise<Result>) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const PASSING_GATE = {
  passed: true,
  policy: { id: 1, name: 'Policy' },
  failed: [],
  counts: { relevant: 1, complete: 1, not_applicable: 0, open: 0 },
  nothing_to_evaluate: null,
};

describe('merlon-gate', () => {
  it('never passes a project with 111 open countermeasures', async () => {
    const library = await rowsOf(test.api.get<List<{ id: string }>>('/library/tasks/', { page_size: 111 }));
    const ids = library.map(({ id }) => id);
    const project = await makeEmptyProject(test);
    await addCountermeasures(test, project, ids);
    const unanswered = await gate(project);
    expect(unanswered).toMatchObject({ status: 3, stderr: '' });
    expect(unanswered.stdout).toContain('No one has answered');
    expect(unanswered.stdout).toContain('111 open');

    await completeSurvey(project);
    const open = await gate(project);
    expect(open).toMatchObject({ status: 1, stderr: '' });
    expect(open.stdout).toMatch(
      /^Not passed: project \d+\n\d+ countermeasures do not meet the risk policy "Priority 7/,
    );
    expect(open.stdout).toMatch(/- \d+-T\d+ \(priority 9, open\): /);

    // A policy without conditions lets everything pass: the API says so, the tool does not.
    const { id: lenient } = await makePolicy();
    const policy = ['--policy', String(lenient)];
    expect((await gate(project, ...policy)).status).toBe(3);
    expect((await gate(project, ...policy, '--min-priority', '1')).status).toBe(1);

    await test.database.query('UPDATE project_countermeasure SET status_id = 1 WHERE project_id = $1', [project.id]);
    const done = await gate(project);
    expect(done).toMatchObject({ status: 0, stderr: '' });
    expect(done.stdout).toContain('111 complete, 0 not applicable, 0 open');
  });

  it('ends with 3 if there is nothing to evaluate: an unknown project, or one without countermeasures', async () => {
    const unknown = await gate({ id: 999_999 });
    expect(unknown).toMatchObject({ status: 3, stderr: '' });
    expect(unknown.stdout).toContain('Project 999999 does not exist, or the token does not give access to it.');
    expect((await gate(await withOpen())).status).toBe(3);
    const report = inFolder('unknown.sarif');
    await writeFile(report, sarifLog(sarifRun([], [])));
    expect((await gate({ id: 999_999 }, '--report', report, '--system', 'x')).status).toBe(3);
  });

  it('ends with 2 after an error, and says how to correct it', async () => {
    const project = await withOpen();
    const words = ['--url', test.origin, '--project', String(project.id)];
    const env = { MERLON_TOKEN: tokenOf() };
    const created = await bodyOf(
      test.api.post<{ token: string }>('/users/me/tokens/', { name: 'Library', scopes: ['library:read'] }),
      201,
    );
    const html: RequestListener = (_, response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>');
    const moved: RequestListener = (_, response) => response.writeHead(301, { Location: 'https://example.com/' }).end();
    const runs: [string, Promise<{ status: number; stderr: string }>][] = [
      ['Set the environment variable MERLON_TOKEN', runGate(words)],
      ['Invalid token.', runGate(words, { MERLON_TOKEN: 'wrong' })],
      ['projects:read', runGate(words, { MERLON_TOKEN: created.token })],
      ["Unknown option '--token'", runGate([...words, '--token', 'x'], env)],
      ['Set --project or MERLON_PROJECT', runGate(['--url', test.origin], env)],
      ['--project must be', runGate(['--url', test.origin, '--project', 'shop'], env)],
      ['--url must be', runGate(['--url', 'file:///etc', '--project', '1'], env)],
      ['--format must be', gate(project, '--format', 'xml')],
      ['belong together', gate(project, '--report', 'x.sarif')],
      ["can't be read", gate(project, '--report', inFolder('none.sarif'), '--system', 'x')],
      ['min_priority', gate(project, '--min-priority', '11')],
      ["can't be reached", runGate(['--url', 'http://127.0.0.1:1', '--project', '1'], env)],
      ['is --url right?', withServer(html, (url) => runGate(['--url', url, '--project', '1'], env))],
      ['redirects to https://example.com/', withServer(moved, (url) => runGate(['--url', url, '--project', '1'], env))],
    ];
    for (const [message, run] of runs) {
      const { status, stderr } = await run;
      expect([message, status, stderr.includes(message)]).toEqual([message, 2, true]);
      expect(stderr).not.toContain(tokenOf());
    }
    expect(await runGate(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('Exit status: 0') });
  });

  it('waits while the service is busy, as long as it asks, and gives up at the time limit', async () => {
    const times: number[] = [];
    const busyOnce: RequestListener = (request, response) => {
      times.push(Date.now());
      expect(request.headers.authorization).toBe(`Bearer ${tokenOf()}`);
      if (times.length === 1) response.writeHead(429, { 'Retry-After': '1' }).end();
      else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(PASSING_GATE));
    };
    const env = { MERLON_TOKEN: tokenOf(), MERLON_PROJECT: '1' };
    expect(await withServer(busyOnce, (url) => runGate(['--url', url], env))).toMatchObject({ status: 0, stderr: '' });
    const [first = 0, second = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(1000);

    const busy: RequestListener = (_, response) => response.writeHead(503, { 'Retry-After': '60' }).end();
    const gaveUp = await withServer(busy, (url) => runGate(['--url', url, '--timeout', '5'], env));
    expect(gaveUp).toMatchObject({ status: 2, stderr: expect.stringContaining('busy (503)') });
    const silent = await withServer(
      () => undefined,
      (url) => runGate(['--url', url, '--timeout', '0.5'], env),
    );
    expect(silent).toMatchObject({ status: 2, stderr: expect.stringContaining('within 0.5 seconds') });
  });

  it('uploads a report first, and evaluates what it verified', async () => {
    const { id: problem } = await makeWeakness(test.api, { cwe: [79] });
    const project = await withOpen((await makeCountermeasure(test.api, { problem, priority: 9 })).id);
    await test.database.query('UPDATE project_countermeasure SET status_id = 1 WHERE project_id = $1', [project.id]);
    const conditions = { statuses: [{ task_status: 'TS1', minimum_verification_status: 'pass' }] };
    const { id } = await makePolicy({ conditions });
    const words = ['--policy', String(id)];
    expect((await gate(project, ...words)).status).toBe(1);
    const report = inFolder('scan.sarif');
    await writeFile(report, sarifLog(sarifRun([sarifRule('xss', 79)], [])));
    const { status, stdout } = await gate(project, ...words, '--report', report, '--system', 'semgrep');
    expect(status).toBe(0);
    expect(stdout).toContain('The report verified 1 countermeasure.');
  });

  it('writes text, JSON, JUnit, SARIF and Markdown that titles of countermeasures cannot change', async () => {
    const title = '##[error]::error:: "x" & <script> | [a](https://evil.example) `b`';
    const task = await makeCountermeasure(test.api, { title, priority: 9 });
    const project = await withOpen(task.id);
    const id = `${project.id}-${task.id}`;

    const text = await gate(project);
    expect(text.stdout).toContain(`- ${id} (priority 9, open): ## [error]::error::`);
    expect(text.stdout).not.toContain('##[');

    const json = await gate(project, '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      exit_status: 1,
      outcome: 'not_passed',
      project: project.id,
      gate: { passed: false, failed: [{ rule: 'countermeasures', countermeasures: [{ id }] }] },
    });

    const files = ['--output', inFolder('gate.xml'), '--summary', inFolder('summary.md'), '--format', 'junit'];
    expect((await gate(project, ...files)).stdout).toBe(text.stdout);
    const junit = await readInPieces(await readFile(inFolder('gate.xml')));
    expect(Object.values(verdictsOf(junit))).toEqual([[0, 1, expect.anything()]]);

    const summary = await readFile(inFolder('summary.md'), 'utf8');
    expect(summary).toContain(`## Merlon: Not passed: project ${project.id}\n`);
    expect(summary).toContain(`](<${test.origin}/projects/${project.id}/tasks/${id}>)`);
    expect(summary).not.toMatch(/[^\\][<|`]script|[^\\]\[a\]/);

    const sarif = JSON.parse((await gate(project, '--format', 'sarif')).stdout);
    expect(sarif).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          originalUriBaseIds: { MERLON: { uri: `${test.origin}/` } },
          results: [
            {
              ruleId: 'countermeasures',
              message: { text: expect.stringContaining(id) },
              locations: [{ physicalLocation: { artifactLocation: { uri: `projects/${project.id}/tasks/${id}` } } }],
            },
          ],
        },
      ],
    });
  });
});

describe('The action of GitHub and the template of GitLab', () => {
  const read = async (name: string): Promise<unknown> => parse(await readFile(path.join(packageFolder, name), 'utf8'));

  it('run merlon-gate by their shell steps', async () => {
    const library = await rowsOf(test.api.get<List<{ id: string }>>('/library/tasks/', { page_size: 20 }));
    const project = await withOpen(...library.map(({ id }) => id));
    const given: Readonly<Record<string, string>> = {
      url: test.origin,
      token: tokenOf(),
      project: String(project.id),
      phase: '$(touch injected)',
    };
    interface Action {
      inputs: Record<string, { default?: string }>;
      runs: { steps: { shell: string; env: Record<string, string>; run: string }[] };
    }
    const { inputs, runs } = (await read('action.yml')) as Action;
    const [step] = runs.steps;
    const valueOf = (inputsGiven: typeof given) => (text: string) =>
      text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => {
        expect(inputs).toHaveProperty(name);
        return inputsGiven[name] ?? inputs[name]?.default ?? '';
      });
    const runStep = (inputsGiven: typeof given) => {
      const resolve = valueOf(inputsGiven);
      const env = Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, text]) => [name, resolve(text)]));
      expect(step?.run).not.toContain('${{');
      return runProgram(step?.shell ?? '', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''], {
        ...env,
        PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
        GITHUB_ACTION_PATH: packageFolder,
        GITHUB_STEP_SUMMARY: inFolder('step-summary.md'),
      });
    };
    // The input reaches the service as it is, which rejects it.
    expect(await runStep(given)).toMatchObject({ status: 2, stderr: expect.stringContaining('phase__in') });
    expect(await runStep({ ...given, phase: '' })).toMatchObject({ status: 1, stderr: '' });
    expect(await readFile(inFolder('step-summary.md'), 'utf8')).toContain('Not passed');

    interface Template {
      'merlon-gate': { variables: Record<string, string>; script: string[]; artifacts: { reports: { junit: string } } };
    }
    const { variables, script, artifacts } = ((await read('gitlab.yml')) as Template)['merlon-gate'];
    const { name, version } = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8'));
    expect(script).toEqual([`npx --yes ${name}@${version}`]);
    await writeFile(inFolder('npx'), `#!/bin/sh\nexec node '${packageFolder}/merlon-gate.mjs'\n`);
    await chmod(inFolder('npx'), 0o755);
    await symlink(process.execPath, inFolder('node'));
    const job = await runProgram('sh', ['-ec', `cd '${folder.path}'\n${script.join('\n')}`], {
      ...variables,
      PATH: `${folder.path}:/usr/bin:/bin`,
      MERLON_URL: test.origin,
      MERLON_TOKEN: tokenOf(),
      MERLON_PROJECT: String(project.id),
    });
    expect(job).toMatchObject({ status: 1, stderr: '' });
    expect(await readFile(inFolder(artifacts.reports.junit), 'utf8')).toContain('<failure ');
  });
});
