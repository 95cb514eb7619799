import { useTestApi } from '#test/support/api.js';
import { bodyOf, type Json } from '#test/support/client.js';
import { seedCountermeasures, unique } from '#test/support/factories.js';

const LIMIT = 1_000_000;
const test = useTestApi({ MAX_COMPOSITE_READ_BYTES: String(LIMIT) });

interface SubAnswer {
  http_status_code: number;
  body: Json;
}

describe('A composite request with 99 large reads and one write', () => {
  // Long enough to be streamed, and more than half of the read limit.
  const heavy = Array.from({ length: 99 }, (_, index) => ({
    method: 'GET',
    path: 'library/tasks/?type__in=Custom',
    reference_id: `heavy${index}`,
  }));
  const last = { method: 'POST', path: 'groups/', reference_id: 'last' };
  const run = async (options: object): Promise<SubAnswer[]> => {
    const body = { ...options, composite_request: [...heavy, { ...last, body: { name: unique() } }] };
    const answer = await bodyOf(test.api.post<{ composite_response: SubAnswer[] }>('/composite/', body));
    return answer.composite_response;
  };
  const tooLarge = { detail: expect.stringContaining(String(LIMIT)) };

  beforeAll(async () => {
    await seedCountermeasures(test, test.organization, 1100);
  });

  it('returns 413 for reads beyond MAX_COMPOSITE_READ_BYTES, and still executes the write', async () => {
    const answers = await run({ all_or_none: false });
    const statuses = answers.map((answer) => answer.http_status_code);
    const read = statuses.indexOf(413);
    expect(read).toBeGreaterThan(0);
    expect(statuses).toEqual([...Array<number>(read).fill(200), ...Array<number>(99 - read).fill(413), 201]);
    expect(answers.slice(0, read).reduce((sum, { body }) => sum + JSON.stringify(body).length, 0)).toBeLessThan(LIMIT);
    expect(answers[98]?.body).toEqual(tooLarge);
  });

  it('fails as a whole with one 413, and 424 for the others, if all_or_none is true', async () => {
    const answers = await run({});
    const failed = answers.filter((answer) => answer.http_status_code === 413);
    expect(failed).toEqual([{ reference_id: expect.any(String), http_status_code: 413, body: tooLarge }]);
    expect(answers.filter((answer) => answer.http_status_code === 424)).toHaveLength(99);
  });

  it('releases the slots and connections of interrupted lists', async () => {
    for (let round = 0; round < 12; round += 1) await bodyOf(test.api.get('/library/tasks/', { exclude: 'text' }));
  });
});
