import { bodyOf } from '../../support/client.js';
import { changesNothing } from '../../support/records.js';
import type { ResourceUnderTest } from '../resource-under-test.js';
import type { Resource } from '../table.js';

export function describeAccess(underTest: ResourceUnderTest): void {
  describe('Access', () => {
    tryReading(underTest);
    tryWriting(underTest);
    tryOtherMethods(underTest);
  });
}

const absentIn = ({ path, key }: Resource): string => `${path}${key.absent}/`;

/** Every method of the list and of an item that does not exist. */
const requestsOf = (resource: Resource): [string, string][] => [
  ...resource.methods.list.map((method): [string, string] => [method, resource.path]),
  ...(resource.methods.item ?? []).map((method): [string, string] => [method, absentIn(resource)]),
];

function tryReading(underTest: ResourceUnderTest): void {
  const { test, resource, at, list, listKeys } = underTest;
  const { path, methods } = resource;
  const reader = resource.readers ?? resource.fullView;
  it('requires valid credentials for every method', async () => {
    for (const [method, where] of requestsOf(resource)) {
      expect((await test.api.as(null).send(method, where)).status).toBe(401);
      expect((await test.api.as('nonsense').send(method, where)).status).toBe(401);
    }
  });

  it(`lets any active user${reader ? ` with ${reader}` : ''} read`, async () => {
    if (resource.owner !== 'caller') expect(await listKeys({}, underTest.reader)).toEqual(await listKeys());
    if (methods.item?.includes('GET'))
      expect(await bodyOf(underTest.reader.get(at(underTest.first)))).toEqual(
        await bodyOf(test.api.get(at(underTest.first))),
      );
  });

  if (resource.fullView)
    it(`shows less to an active user without ${resource.fullView}`, async () => {
      expect(await list({}, underTest.anybody)).not.toEqual(await list());
    });

  if (resource.readers)
    it(`requires ${resource.readers} for reading`, async () => {
      for (const where of [path, ...(methods.item ? [absentIn(resource), at(underTest.first)] : [])])
        expect(await bodyOf(underTest.anybody.get(where), 403)).toEqual({
          detail: expect.stringContaining(resource.readers ?? ''),
        });
    });
}

function tryWriting(underTest: ResourceUnderTest): void {
  const { test, resource, at } = underTest;
  const { writers } = resource;
  const permissions = typeof writers === 'string' ? writers : Object.values(writers ?? {}).join(', ');
  const absent = absentIn(resource);
  if (writers)
    it(`requires ${permissions} for writing`, async () => {
      for (const [method, where] of requestsOf(resource).filter(([name]) => name !== 'GET'))
        for (const path of where === absent ? [absent, at(underTest.first)] : [where])
          expect(await changesNothing(test, () => bodyOf(underTest.anybody.send(method, path, {}), 403))).toEqual({
            detail: expect.stringContaining(typeof writers === 'string' ? writers : (writers[method] ?? '?')),
          });
    });
}

function tryOtherMethods(underTest: ResourceUnderTest): void {
  const { test } = underTest;
  const { path, methods } = underTest.resource;
  it('responds to other methods with 405 and an Allow header', async () => {
    const allowedMethods = (names: readonly string[]): string[] =>
      [...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
    for (const [where, names] of [
      [path, methods.list],
      [absentIn(underTest.resource), methods.item],
    ] as const) {
      if (!names) continue;
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((name) => !names.includes(name))) {
        const answer = await test.api.send(method, where, method === 'GET' ? undefined : {});
        expect([method, answer.status, answer.body]).toEqual([
          method,
          405,
          { detail: `Method "${method}" not allowed.` },
        ]);
        expect((answer.headers.allow ?? '').split(', ').sort()).toEqual(allowedMethods(names));
      }
    }
  });
}
