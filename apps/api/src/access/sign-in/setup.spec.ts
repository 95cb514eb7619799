import { EntityManager } from '@mikro-orm/postgresql';
import { createSetupLink } from '#domain/access/setup-link/setup-link.commands.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { startTestApi, type TestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields } from '#test/support/client.js';
import { PASSWORD } from '#test/support/passwords.js';
import { changesNothing } from '#test/support/records.js';
import { authPath, browserWith, cookieOf, logIn, pageOf } from '#test/support/sessions.js';

describe('The setup link', () => {
  let test: TestApi;
  beforeEach(async () => {
    test = await startTestApi();
  });
  afterEach(() => test.close());

  const newLink = async (): Promise<string> => {
    const em = test.running.app.get(EntityManager);
    return (await acrossOrganizations(em, 'operate the deployment', createSetupLink)).token;
  };
  const person = (changes: object = {}) => ({
    email: 'first@example.com',
    first_name: 'First',
    last_name: 'Person',
    password: PASSWORD,
    organization: 'Example Ltd.',
    ...changes,
  });
  const setUp = (token: string, changes?: object) =>
    pageOf(test).post(authPath(test, 'setup'), { token, ...person(changes) });
  const isRequired = async (): Promise<boolean> =>
    (await bodyOf(test.api.as(null).get<{ setup_required: boolean }>(authPath(test, 'session')))).setup_required;

  it('creates the first super-user, names the organization and signs the browser in, once', async () => {
    expect(await isRequired()).toBe(true);
    const token = await newLink();
    const answer = await setUp(token);
    expect([answer.status, answer.body]).toMatchObject([
      201,
      {
        authenticated: true,
        setup_required: false,
        organization: { id: test.organization.id, name: 'Example Ltd.' },
        user: { email: 'first@example.com', is_superuser: true, role: 'UR4', last_login: expect.any(String) },
      },
    ]);
    await bodyOf(browserWith(test, cookieOf(answer) ?? '').get('/users/'));
    await bodyOf(logIn(test, 'first@example.com'));
    expect(await isRequired()).toBe(false);
    expect(await rejectedFields(setUp(token, { email: 'second@example.com' }))).toEqual(['token']);
    // The token of the installation keeps working.
    await bodyOf(test.api.get('/users/me/'));
  });

  it('gives a password to the super-user of the installation if the person chooses that address', async () => {
    const { id, email } = test.organization.admin;
    const answer = await setUp(await newLink(), { email: email.toUpperCase() });
    expect(answer.body).toMatchObject({ user: { id, first_name: 'First' } });
  });

  it('is stored as a hash, expires after an hour, and is replaced by the next one', async () => {
    const first = await newLink();
    expect(await test.database.query('SELECT 1 FROM setup_link t WHERE strpos(t::text, $1) > 0', [first])).toEqual([]);
    const second = await newLink();
    expect(await rejectedFields(setUp(first))).toEqual(['token']);
    const [row] = await test.database.query<{ minutes: number }>(
      'SELECT round(extract(epoch FROM expires_at - now()) / 60)::float AS minutes FROM setup_link',
    );
    expect(row?.minutes).toBe(60);
    await test.database.query('UPDATE setup_link SET expires_at = now()');
    expect(await changesNothing(test, () => rejectedFields(setUp(second)))).toEqual(['token']);
  });

  it('can be used again after a rejected request, which changes nothing', async () => {
    const token = await newLink();
    const stranger = await test.newOrganization();
    const member = await test.newUser();
    const invalid = [
      [{ password: 'passwordpassword' }, 'password'],
      [{ password: 'short' }, 'password'],
      [{ email: 'none' }, 'email'],
      [{ email: member.email }, 'email'],
      [{ organization: stranger.name }, 'organization'],
      [{ first_name: '' }, 'first_name'],
    ] as const;
    await changesNothing(test, async () => {
      for (const [changes, field] of invalid) expect(await rejectedFields(setUp(token, changes))).toEqual([field]);
    });
    expect((await setUp(token)).status).toBe(201);
  });

  it('creates one user if it is used several times at once', async () => {
    const token = await newLink();
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => setUp(token, { email: `person${n}@example.com` })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400]);
  });

  it('does not work once someone can sign in', async () => {
    const token = await newLink();
    await bodyOf(
      test.api.post('/users/', { email: 'a@example.com', first_name: 'A', last_name: 'B', password: PASSWORD }),
      201,
    );
    expect(await changesNothing(test, () => rejectedFields(setUp(token)))).toEqual(['token']);
  });
});
