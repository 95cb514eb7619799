import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { hasRedmine, type Redmine, startRedmine } from '#test/support/redmine.js';

/** Redmine migrates its database first. */
const START_MILLISECONDS = 300_000;

const describeOnRedmine = hasRedmine ? describe : describe.skip;

describeOnRedmine('A connection test with a real Redmine (Debian packages redmine, redmine-sqlite)', () => {
  const test = useTestApi({ CONNECTION_ALLOW_PRIVATE: 'true', CONNECTION_TIMEOUT_SECONDS: '60' });
  let redmine: Redmine;
  beforeAll(async () => {
    redmine = await startRedmine();
  }, START_MILLISECONDS);
  afterAll(() => redmine.stop());

  it.each([
    ['accepts the key of a user', {}, null],
    ['accepts a project with issues', { project_key: 'shop' }, null],
    ['reports a project without issues', { project_key: 'docs' }, 'has no issues'],
    ['reports a project that does not exist', { project_key: 'nothing' }, 'does not show the project'],
    ['reports a wrong key', { token: 'wrong' }, 'Redmine does not accept the token'],
  ])('%s', async (_, params, error) => {
    const body = { system: { id: 'redmine' }, params: { url: redmine.url, token: redmine.key, ...params } };
    expect(await bodyOf(test.api.post('/connectors/issue-tracker/test/', body))).toEqual({
      success: error === null,
      error: error === null ? null : (expect.stringContaining(error) as string),
    });
  });
});
