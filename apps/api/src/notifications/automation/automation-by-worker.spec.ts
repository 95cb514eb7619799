import { startTestApi, type TestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import { type Receiver, startReceiver, trustReceivers } from '#test/support/receiver.js';
import type { List } from '#test/support/resources.js';
import { deliverySettings, makeWebhook } from '#test/support/webhooks.js';
import { startTestWorker, temporaryFolder, type TestWorker } from '#test/support/worker.js';

const PATH = '/automation/trigger-event/';

/** A message waits for every transaction of the server that was open before it, including those of other suites. */
const PATIENCE_SECONDS = 45;

describe('Automation events with a worker', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let receiver: Receiver;
  let test: TestApi;
  let worker: TestWorker;

  beforeAll(async () => {
    trustReceivers();
    receiver = await startReceiver();
    folder = await temporaryFolder();
    const settings = { DATA_DIR: folder.path, ...deliverySettings(receiver) };
    test = await startTestApi(settings);
    worker = await startTestWorker({ ...settings, DATABASE_URL: test.database.applicationUrl });
  });
  afterAll(async () => {
    await worker.stop();
    await test.close();
    await receiver.stop();
    await folder.remove();
  });

  it.each(['project_refresh', 'library_refresh'])('recalculate the content of a project (%s)', async (event) => {
    const { id: problem } = await makeWeakness(test.api);
    const { id: task } = await makeCountermeasure(test.api, { problem });
    const { id: project } = await makeProject(test);
    const hasTask = async (): Promise<boolean> =>
      (await rowsOf(test.api.get<List<{ task_id: string }>>(`/projects/${project}/tasks/`))).some(
        (row) => row.task_id === task,
      );
    await eventually(async () => {
      const due = await test.database.query(
        'SELECT 1 FROM library_change UNION ALL SELECT 1 FROM project WHERE refresh_due_at IS NOT NULL',
      );
      return !due.length;
    }, PATIENCE_SECONDS);
    // Only a recalculation repairs a change that no command has made.
    await test.database.query('DELETE FROM project_countermeasure WHERE project_id = $1', [project]);
    expect(await hasTask()).toBe(false);
    await bodyOf(test.api.post(PATH, { event, project }), 202);
    await eventually(hasTask, PATIENCE_SECONDS);
  });

  it('deliver a test message to a webhook (webhook_test)', async () => {
    const { id } = await makeWebhook(test.api, { name: 'Tried', url: receiver.url('tried') });
    await bodyOf(test.api.post(PATH, { event: 'webhook_test', data: { webhook: id } }), 202);
    await eventually(() => receiver.at('tried').length === 1, PATIENCE_SECONDS);
    expect(JSON.parse(receiver.at('tried')[0]?.text ?? '{}')).toMatchObject({
      text: 'This is a test of the webhook Tried, sent by Ada Admin.',
    });
    await eventually(async () => {
      const [delivery] = await rowsOf(test.api.get<List<{ status: string }>>(`/webhooks/${id}/deliveries/`));
      return delivery?.status === 'delivered';
    }, PATIENCE_SECONDS);
  }, 120_000);
});
