import { type FakeAnswer, type FakeServer, startFakeServer } from '#test/support/trackers/fake-server.js';
import { startFakeGitHub } from '#test/support/trackers/fake-github.js';
import { trackerClient } from '#test/support/tracker-contract.js';
import type { TrackerProject } from './issue.js';
import { nextPage, placeOf } from './pages.js';
import { refusalReason } from './refusal-reason.js';
import { openTrackerProject, trackerProject } from './tracker-project.js';
import { TRACKERS } from './trackers.js';

const TOKEN = 'hush-7d1f';
const soon = Math.ceil(Date.now() / 1000) + 90;

describe.each(Object.keys(TRACKERS))('The adapter for %s', (system) => {
  let answer: FakeAnswer;
  let server: FakeServer;
  const failureOf = async (response: FakeAnswer): Promise<Error & { seconds?: number }> => {
    answer = response;
    const project: TrackerProject = trackerProject(trackerClient(), system, { url: server.url, token: TOKEN }, 'a/b');
    const failure: unknown = await project.read('1').catch((error: unknown) => error);
    return failure as Error;
  };
  beforeAll(async () => {
    server = await startFakeServer('', () => answer);
  });
  afterAll(() => server.stop());

  it.each([
    [{ status: 429, headers: { 'Retry-After': '17' } }, 17, 17],
    [{ status: 429 }, 60, 60],
    [{ status: 429, headers: { 'Retry-After': '999999999' } }, 3600, 3600],
    [{ status: 503, headers: { 'Retry-After': '5' } }, 5, 5],
    [{ status: 403, headers: { 'Retry-After': '9' } }, 9, 9],
    [{ status: 403, headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(soon) } }, 1, 91],
    [{ status: 429, headers: { 'RateLimit-Reset': String(soon) } }, 1, 91],
    [{ status: 429, headers: { 'RateLimit-Reset': 'never' } }, 60, 60],
  ])('waits after %j for %d to %d seconds', async (response, least, most) => {
    const { name, seconds } = await failureOf(response);
    expect(name).toBe('TrackerBusy');
    expect(seconds).toBeGreaterThanOrEqual(least);
    expect(seconds).toBeLessThanOrEqual(most);
  });

  it.each([
    [{ status: 401, body: { message: 'no' } }, 'does not accept the token'],
    [{ status: 403, body: {} }, 'does not show the project'],
    [{ status: 500, body: '<html>oops</html>' }, 'returned 500.'],
    [{ status: 400, body: { message: 'Title is too long' } }, 'returned 400: Title is too long.'],
    [{ status: 503 }, 'returned 503.'],
    [{ status: 302, headers: { Location: 'https://elsewhere.example/' } }, 'redirects to another address'],
    [{ status: 200, body: '<html>Sign in</html>' }, 'not JSON'],
    [{ status: 200, body: [] }, 'an unexpected response'],
    [{ status: 200, body: { id: {} } }, 'an unexpected response'],
    [{ status: 200 }, 'an unexpected response'],
    [{ status: 200, body: 'null' }, 'an unexpected response'],
  ])('refuses, without the token, what %j returns', async (response, text) => {
    const { name, message } = await failureOf(response);
    expect(name).toBe('TrackerRefusal');
    expect(message).toContain(text);
    expect(message).not.toContain(TOKEN);
  });

  it('refuses a response that is longer than is read', async () => {
    const { message } = await failureOf({ status: 200, body: 'x'.repeat(11_000_000) });
    expect(message).toContain('longer response than is read');
  });

  it('follows no redirect to another server', async () => {
    const other = await startFakeServer('', () => ({ status: 200, body: {} }));
    const { message } = await failureOf({ status: 301, headers: { Location: `${other.url}/x` } });
    expect(message).toContain('redirects to another address');
    expect(other.requests).toEqual([]);
    await other.stop();
  });
});

describe('A project that was opened', () => {
  it('is asked for once, however much is done with its issues', async () => {
    const fake = await startFakeGitHub();
    const project = await openTrackerProject(trackerClient(), fake.system, fake.access, fake.project);
    await project.describe(undefined);
    await project.find('merlon-1');
    await project.changedSince(new Date(), undefined);
    expect(fake.requests?.filter((request) => request.endsWith('/repos/acme/shop'))).toHaveLength(1);
    expect(fake.requests?.filter((request) => request.endsWith('/user'))).toHaveLength(1);
    await fake.stop();
  });
});

describe('The reason of a refusal', () => {
  it.each([
    ['{"errors":["Subject cannot be blank","Team is wrong"]}', ': Subject cannot be blank; Team is wrong.'],
    [
      '{"errorMessages":["No."],"errors":{"customfield_1":"Team is required."}}',
      ': No.; customfield_1: Team is required.',
    ],
    ['{"message":{"title":["can\'t be blank"]}}', ": title: can't be blank."],
    [
      '{"message":"Validation Failed","errors":[{"resource":"Issue","field":"title","code":"missing_field"}]}',
      ': title: missing_field; Validation Failed.',
    ],
    ['{"message":"two\\nlines\\u0000"}', ': two lines.'],
    ['<html>', '.'],
    ['[]', '.'],
    ['{"message":7}', '.'],
  ])('in %s is %j', (text, reason) => expect(refusalReason(text)).toBe(reason));

  it('is cut off', () => expect(refusalReason(`{"message":"${'x'.repeat(9999)}"}`).length).toBeLessThan(510));
});

describe('The next page of changes', () => {
  const since = new Date(10_000);
  const times = (...all: readonly number[]): Date[] => all.map((time) => new Date(time));

  it.each([
    ['begins at the time of the last change', times(10_000, 12_345), '12000/0'],
    ['counts changes of one and the same time', times(10_100, 10_900), '10000/2'],
    ['does not exist if a page is not full', times(10_000), undefined],
    ['does not exist if there is nothing', [], undefined],
  ])('%s', (_, all, next) => expect(nextPage({ since, skipped: 0 }, 2, all, 1000)).toBe(next));

  it('is read from what was returned, and begins anew after nonsense', () => {
    expect(placeOf(since, '12000/3')).toEqual({ since: new Date(12_000), skipped: 3 });
    for (const page of [undefined, '', 'x/y', '1', '1/x']) expect(placeOf(since, page)).toEqual({ since, skipped: 0 });
  });
});
