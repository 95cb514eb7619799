import { useTestApi } from '#test/support/api.js';
import { bodyOf, type Json } from '#test/support/client.js';
import { unique } from '#test/support/factories.js';
import { changesNothing } from '#test/support/records.js';

const test = useTestApi();

interface Item {
  id: string;
  title: string;
  references?: string[];
  reviewed_at?: string | null;
  versions?: string;
}

const text = { text: 'x' };

/** Every kind of item that depends on others: its list, a built-in item, and the required fields of a new one. */
const KINDS = [
  { kind: 'weakness', at: '/library/problems/', id: 'P3', needs: { ...text, risk_rating: 3 }, status: 200 },
  {
    kind: 'countermeasure',
    at: '/library/tasks/',
    id: 'T3',
    needs: { ...text, problem: 'P1', priority: 3, phase: 'X1' },
    status: 200,
  },
  { kind: 'additional requirement', at: '/library/tasks/T1/amendments/', id: 'TA7', needs: text, status: 200 },
  { kind: 'how-to', at: '/library/tasks/T5/implementations/', id: 'I1', needs: text, status: 200 },
  { kind: 'threat', at: '/library/threats/', id: 'TH3', needs: { ...text, severity: 3 }, status: 201 },
] as const;

const RESTS_ON = {
  references: ['cwe:79', 'asvs:5.0:1.2.1', 'nist:800-63B-4:3.1.1', 'rfc:9700:4.1', 'Kubernetes 1.34 documentation'],
  reviewed_at: '2026-11-23',
};
const include = 'references';

const read = (path: string, query: Record<string, string> = { include }): Promise<Item> =>
  bodyOf(test.api.get<Item>(path, query));

describe.each(KINDS)('References and review date of a $kind', ({ kind, at, id, needs, status }) => {
  const body = (more: Json = {}): Json => ({ title: unique(kind), ...needs, ...(more as object) });
  const create = (more?: Json, query = ''): Promise<Item> =>
    bodyOf(test.api.post<Item>(`${at}${query}`, body(more)), status);

  it('are empty by default', async () => {
    expect(await read(`${at}${(await create()).id}/`)).toMatchObject({ references: [], reviewed_at: null });
  });

  it('are kept, trimmed and without duplicates, and are returned only if included', async () => {
    const created = await create({ ...RESTS_ON, references: [' cwe:79 ', ...RESTS_ON.references] });
    expect(created).not.toHaveProperty('references');
    expect(await read(`${at}${created.id}/`)).toMatchObject(RESTS_ON);
    const plain = await read(`${at}${created.id}/`, {});
    for (const field of ['references', 'reviewed_at', 'versions']) expect(plain).not.toHaveProperty(field);
    expect(await create(RESTS_ON, `?include=${include}`)).toMatchObject(RESTS_ON);
  });

  it('change in a built-in item only for the organization, and are restored with the original', async () => {
    const path = `${at}${id}/`;
    const other = await test.newOrganization();
    const original = await read(path);
    expect(await bodyOf(test.api.patch<Item>(`${path}?include=${include}`, RESTS_ON))).toMatchObject(RESTS_ON);
    expect(await read(path)).toMatchObject({ ...RESTS_ON, type: 'Built-in Modified' });
    expect(await read(path, { include, show_original: 'true' })).toMatchObject({ references: original.references });
    expect(await bodyOf(other.api.get<Item>(path, { include }))).toEqual(original);
    await bodyOf(test.api.patch(path, { title: unique() }));
    expect(await read(path)).toMatchObject(RESTS_ON);
    await bodyOf(test.api.patch(path, { references: [], reviewed_at: null }));
    expect(await read(path)).toMatchObject({ references: [], reviewed_at: null });
    await bodyOf(test.api.delete(path), 204);
    expect(await read(path)).toEqual(original);
  });

  it.each<[string, Json, string]>([
    ['an unknown prefix', { references: ['cve:2021-44228'] }, 'references'],
    ['a CWE that is not a number', { references: ['cwe:79', 'cwe:XSS'] }, 'references'],
    ['an empty reference', { references: [' '] }, 'references'],
    ['a reference that is too long', { references: ['x'.repeat(201)] }, 'references'],
    ['too many references', { references: Array.from({ length: 51 }, (_, n) => `cwe:${n + 1}`) }, 'references'],
    ['a string in place of a list', { references: 'cwe:79' }, 'references'],
    ['a date that does not exist', { reviewed_at: '2026-02-30' }, 'reviewed_at'],
    ['a time', { reviewed_at: '2026-02-28T10:00:00Z' }, 'reviewed_at'],
  ])('are rejected with %s', async (_case, wrong, field) => {
    const rejected = () => bodyOf(test.api.patch(`${at}${id}/`, wrong), 400);
    expect(Object.keys((await changesNothing(test, rejected)) as object)).toEqual([field]);
    expect(await bodyOf(test.api.post(at, body(wrong)), 400)).toHaveProperty(field);
  });

  it('are returned in lists if included', async () => {
    const created = await create(RESTS_ON);
    const { results } = await bodyOf(test.api.get<{ results: Item[] }>(at, { include, id: created.id }));
    expect(results).toEqual([expect.objectContaining(RESTS_ON)]);
  });
});

describe('The product versions of a how-to', () => {
  it('are a string of up to 500 characters that may be empty but not null', async () => {
    const at = '/library/tasks/T5/implementations/';
    const { id } = await bodyOf(test.api.post<Item>(at, { title: unique(), ...text, versions: ' Spring Security 7 ' }));
    expect((await read(`${at}${id}/`)).versions).toBe('Spring Security 7');
    await bodyOf(test.api.patch(`${at}${id}/`, { versions: '' }));
    expect((await read(`${at}${id}/`)).versions).toBe('');
    expect(await bodyOf(test.api.patch(`${at}${id}/`, { versions: null }), 400)).toHaveProperty('versions');
    expect(await bodyOf(test.api.patch(`${at}${id}/`, { versions: 'x'.repeat(501) }), 400)).toHaveProperty('versions');
  });
});
