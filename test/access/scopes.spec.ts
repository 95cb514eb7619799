import { type TestUser, useTestApi } from '../support/api.js';
import { type Answer, type ApiClient, bodyOf } from '../support/client.js';
import { makeProject } from '../support/projects.js';
import { SCOPES, scopeOf, tokenOperations, withScopes } from '../support/scopes.js';
import { browserWith, sessionOf } from '../support/sessions.js';

const test = useTestApi();

type Operation = ReturnType<typeof tokenOperations>[number];

const ABSENT = '999999';

/** Sends a request that names nothing that exists, so that it changes hardly anything. */
const attempt = (client: ApiClient, { method, address }: Operation, inPath = ABSENT): Promise<Answer> =>
  client.send(
    method,
    address.replace(/\/v2\/projects\/\{\w+\}/, `/v2/projects/${inPath}`).replaceAll(/\{\w+\}/g, ABSENT),
    method === 'POST' || method === 'PATCH' ? {} : undefined,
  );

const detailOf = ({ body }: Answer): unknown => (body as { detail?: unknown } | null)?.detail;
const titleOf = ({ method, path }: Operation): string => `${method} ${path}`;
const lacking = (scope: string): string => `Requires a token with the scope "${scope}".`;

describe('For every operation', () => {
  let owner: TestUser;
  let session: ApiClient;
  /** For each scope, a token that has only this one, and one that has all others; all have `admin`. */
  let only: ReadonlyMap<string, ApiClient>;
  let without: ReadonlyMap<string, ApiClient>;

  beforeAll(async () => {
    owner = await test.newUser({ superUser: true, role: 'UR4' });
    session = browserWith(test, await sessionOf(test, owner.id));
    const clients = (scopesOf: (scope: string) => readonly string[]) =>
      Promise.all(
        SCOPES.map(async (scope) => [scope, await withScopes(owner, [...scopesOf(scope), 'admin'])] as const),
      );
    only = new Map(await clients((scope) => [scope]));
    without = new Map(await clients((scope) => SCOPES.filter((other) => other !== scope)));
  });

  /** Deviations from the specification, of one operation. */
  async function deviationsOf(operation: Operation): Promise<string[]> {
    const needed = scopeOf(operation.method, operation.path);
    const documented = /Scope: `([^`]*)`/.exec(operation.description)?.[1] ?? null;
    const deviations = documented === needed ? [] : [`is documented with ${documented} instead of ${needed}`];
    const expected = (await attempt(owner.api, operation)).status;
    const withSession = (await attempt(session, operation)).status;
    if (withSession !== expected) deviations.push(`${withSession} instead of ${expected} with a session`);
    // An operation without a scope must not need any: this token has one that no such operation could need.
    const allowed = await attempt(only.get(needed ?? 'activity:read')!, operation);
    if (allowed.status !== expected)
      deviations.push(`${allowed.status} ${allowed.text} instead of ${expected} with ${needed} only`);
    const denied = needed === null ? undefined : await attempt(without.get(needed)!, operation);
    if (denied && (denied.status !== 403 || detailOf(denied) !== lacking(needed ?? '')))
      deviations.push(`${denied.status} ${denied.text} without ${needed}`);
    return deviations.map((deviation) => `${titleOf(operation)}: ${deviation}`);
  }

  it('a session and a token with "*" allow the same, and one scope allows exactly what the document says', async () => {
    const deviations: string[] = [];
    expect(tokenOperations(test).length).toBeGreaterThan(250);
    for (const operation of tokenOperations(test)) deviations.push(...(await deviationsOf(operation)));
    expect(deviations).toEqual([]);
  });

  it('only a token with "admin" allows what super-users may do', async () => {
    const plain = new Map(
      await Promise.all(SCOPES.map(async (scope) => [scope, await withScopes(owner, [scope])] as const)),
    );
    const ofSuperUsers = tokenOperations(test).filter(({ description }) =>
      description.includes('Requires a super-user'),
    );
    expect(ofSuperUsers.length).toBeGreaterThan(5);
    for (const operation of ofSuperUsers) {
      const answer = await attempt(plain.get(scopeOf(operation.method, operation.path) as 'access:read')!, operation);
      expect([titleOf(operation), answer.status]).toEqual([titleOf(operation), 403]);
    }
  });

  it('a token that is limited to projects allows nothing about others, and nothing that concerns more', async () => {
    const [own, other] = [await makeProject(test), await makeProject(test)];
    const limited = await withScopes(owner, ['*'], [own.id]);
    const kept = /the permission `(?:view_all_projects|edit_all_projects|delete_project)`/;
    for (const operation of tokenOperations(test)) {
      const { method, path, description } = operation;
      const inOther = path.startsWith('/projects/{');
      const answer = await attempt(limited, operation, String(other.id));
      const isOutside =
        scopeOf(method, path)?.startsWith('reports:') ||
        (/Requires (?:the permission|a super-user)/.test(description) && !kept.test(description));
      if (inOther || isOutside)
        expect([titleOf(operation), answer.status]).toEqual([titleOf(operation), inOther ? 404 : 403]);
      else
        expect([titleOf(operation), detailOf(answer)]).not.toEqual([
          titleOf(operation),
          expect.stringMatching(/^Requires/),
        ]);
    }
    await bodyOf(limited.get(`/projects/${own.id}/`));
    await bodyOf(test.api.get(`/projects/${other.id}/`));
  });
});
