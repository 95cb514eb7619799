import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeConnector } from '#test/support/connectors.js';
import { eventually } from '#test/support/eventually.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import { startFakeGitHub } from '#test/support/trackers/fake-github.js';
import { startTestWorker, temporaryFolder, type TestWorker } from '#test/support/worker.js';

const TRACKERS = '/connectors/issue-tracker/';

/** More than a worker synchronises at a time. */
const HANGING = 12;

describe('A tracker that accepts requests and never responds', () => {
  // Nothing ends by a time-out while the test runs.
  const reaching = { CONNECTION_ALLOW_PRIVATE: 'true', CONNECTION_TIMEOUT_SECONDS: '60' };
  const test = useTestApi(reaching);
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => void waiting.push(response));
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let worker: TestWorker | undefined;

  beforeAll(async () => {
    folder = await temporaryFolder();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await worker?.stop();
    await folder.remove();
  });

  /** Connects a new project; returns the path of the connection. */
  const connect = async (connector: number): Promise<string> => {
    const project = await makeEmptyProject(test);
    await addCountermeasures(test, project, ['T1']);
    const path = `/projects/${project.id}/issue-tracker-connections/`;
    const body = { connector, project_key: 'acme/shop' };
    return `${path}${(await bodyOf(test.api.post<{ id: number }>(path, body), 201)).id}/`;
  };
  const sync = (path: string): Promise<unknown> => bodyOf(test.api.post(`${path}sync/`), 202);
  const lastStatus = async (path: string): Promise<string | undefined> =>
    (await rowsOf(test.api.get<{ results: { status: string }[] }>(`${path}runs/`)))[0]?.status;

  it('does not delay the projects of other trackers, however many projects it has', async () => {
    const dead = (await makeConnector(test.api, TRACKERS)).id;
    const hanging: string[] = [];
    for (let count = 0; count < HANGING; count += 1) hanging.push(await connect(dead));
    // Only now, so that it is not asked when the connections are saved.
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await bodyOf(test.api.patch(`${TRACKERS}${dead}/`, { params: { url, token: 'hush' } }));
    const github = await startFakeGitHub();
    try {
      const { system, access, project } = github;
      expect(project).toBe('acme/shop');
      const params = { url: access.url, token: access.token };
      const other = await connect((await makeConnector(test.api, TRACKERS, { system: { id: system }, params })).id);
      for (const path of hanging) await sync(path);
      worker = await startTestWorker({
        ...reaching,
        DATABASE_URL: test.database.applicationUrl,
        DATA_DIR: folder.path,
      });
      await eventually(() => waiting.length >= 3);
      await sync(other);
      await eventually(async () => (await lastStatus(other)) === 'succeeded');
      const statuses = new Set(await Promise.all(hanging.map(lastStatus)));
      expect(statuses).toEqual(new Set(['running', 'pending']));
      // The others of its projects follow as soon as one has ended.
      const before = waiting.length;
      for (const response of waiting) response.writeHead(503).end();
      await eventually(() => waiting.length >= before * 2);
    } finally {
      await github.stop();
    }
  });
});
