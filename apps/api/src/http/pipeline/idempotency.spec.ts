import { useTestApi } from '#test/support/api.js';
import { unique } from '#test/support/factories.js';

const test = useTestApi();

const post = (path: string, body: object, key: string, token = test.organization.admin.token): Promise<Response> =>
  fetch(`${test.origin}/api/v2${path}`, {
    method: 'POST',
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });

const read = async (response: Response): Promise<unknown> => [response.status, await response.text()];

const unitsNamed = async (name: string): Promise<number> =>
  (await test.database.query('SELECT FROM business_unit WHERE name = $1', [name])).length;

describe('A POST with an Idempotency-Key', () => {
  it('creates one item, however often it is repeated, and returns the first response', async () => {
    const [name, key] = [unique('Unit'), unique('key')];
    const first = await read(await post('/business-units/', { name }, key));
    expect(first).toEqual([201, expect.stringContaining(name)]);
    expect(await read(await post('/business-units/', { name }, key))).toEqual(first);
    expect(await unitsNamed(name)).toBe(1);
  });

  it('creates one item if it is sent several times at once', async () => {
    const [name, key] = [unique('Unit'), unique('key')];
    const sent = await Promise.all(Array.from({ length: 5 }, () => post('/business-units/', { name }, key)));
    const answers = await Promise.all(sent.map(read));
    expect(answers[0]).toEqual([201, expect.stringContaining(name)]);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await unitsNamed(name)).toBe(1);
  });

  it('is a 409 with another body, and independent of other users and other paths', async () => {
    const [name, key] = [unique('Unit'), unique('key')];
    expect((await post('/business-units/', { name }, key)).status).toBe(201);
    expect((await post('/business-units/', { name: `${name} 2` }, key)).status).toBe(409);
    expect((await post('/business-units/?x=1', { name }, key)).status).toBe(409);
    expect(await unitsNamed(`${name} 2`)).toBe(0);
    expect((await post('/groups/', { name }, key)).status).toBe(201);
    const other = await test.newOrganization();
    expect((await post('/business-units/', { name }, key, other.admin.token)).status).toBe(201);
  });

  it('returns the same token, and creates no second one', async () => {
    const [name, key] = [unique('Token'), unique('key')];
    const first = await read(await post('/users/me/tokens/', { name }, key));
    expect(first).toEqual([201, expect.stringContaining(name)]);
    expect(await read(await post('/users/me/tokens/', { name }, key))).toEqual(first);
    expect(await test.database.query('SELECT FROM api_token WHERE name = $1', [name])).toHaveLength(1);
  });

  it('keeps nothing of a request that failed', async () => {
    const [name, key] = [unique('Unit'), unique('key')];
    expect((await post('/business-units/', {}, key)).status).toBe(400);
    expect((await post('/business-units/', { name }, key)).status).toBe(201);
  });

  it('is executed again after 24 hours', async () => {
    const key = unique('key');
    expect((await post('/business-units/', { name: unique('Unit') }, key)).status).toBe(201);
    await test.database.query(`UPDATE idempotency_key SET created_at = now() - interval '24 hours 1 minute'`);
    expect((await post('/business-units/', { name: unique('Unit') }, key)).status).toBe(201);
  });

  it('covers all requests of a composite request', async () => {
    const [name, key] = [unique('Unit'), unique('key')];
    const body = {
      composite_request: [{ method: 'POST', path: 'business-units/', reference_id: 'unit', body: { name } }],
    };
    const first = await read(await post('/composite/', body, key));
    expect(first).toEqual([200, expect.stringContaining(name)]);
    expect(await read(await post('/composite/', body, key))).toEqual(first);
    expect(await unitsNamed(name)).toBe(1);
  });

  it('stores its response encrypted, and the key only as a hash', async () => {
    const [name, key] = [unique('Secret'), unique('key')];
    expect((await post('/business-units/', { name }, key)).status).toBe(201);
    const rows = JSON.stringify(await test.database.query('SELECT * FROM idempotency_key'));
    expect(rows).not.toContain(name);
    expect(rows).not.toContain(key);
  });

  it('rejects an empty or long key, and a key of a request that cannot be repeated', async () => {
    const body = { name: unique('Unit') };
    for (const key of ['', 'k'.repeat(256)]) expect((await post('/business-units/', body, key)).status).toBe(400);
    expect((await post('/business-units/', body, 'k'.repeat(255))).status).toBe(201);
    expect((await post('/analysis-files/', body, 'k')).status).toBeGreaterThanOrEqual(400);
  });
});
