import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import type { Countermeasure, List } from '#test/support/resources.js';

const path = '/library/tasks/';

describe('Timestamps in a TIME_ZONE with a half-hour offset', () => {
  const test = useTestApi({ TIME_ZONE: 'Asia/Kolkata' });
  let created: Countermeasure;
  const found = async (query: Record<string, string>): Promise<boolean> =>
    (await rowsOf(test.api.get<List<Countermeasure>>(path, { id__in: created.id, ...query }))).length === 1;

  beforeAll(async () => {
    created = await makeCountermeasure(test.api);
    await test.database.query(
      `UPDATE countermeasure_version SET updated_at = '2026-03-04T15:43:51.615743Z' WHERE item_id = $1`,
      [created.id],
    );
    created = await bodyOf(test.api.get<Countermeasure>(`${path}${created.id}/`));
  });

  it('returns six fractional digits and the offset of that time zone', async () => {
    expect(created.last_updated_date).toBe('2026-03-04T21:13:51.615743+05:30');
    expect((await makeWeakness(test.api)).created).toMatch(/\.\d{6}\+05:30$/);
  });

  it('accepts returned timestamps in filters, to the microsecond', async () => {
    expect(await found({ last_updated_date: created.last_updated_date })).toBe(true);
    expect(
      await found({
        last_updated_date_from: created.last_updated_date,
        last_updated_date_to: created.last_updated_date,
      }),
    ).toBe(true);
    expect(await found({ last_updated_date__gt: created.last_updated_date })).toBe(false);
    expect(await found({ last_updated_date__gt: '2026-03-04T21:13:51.615742+05:30' })).toBe(true);
    expect(await found({ last_updated_date__lt: '2026-03-04T21:13:51.615744+05:30' })).toBe(true);
  });

  it('respects Z or another offset in a filter', async () => {
    expect(await found({ last_updated_date: '2026-03-04T15:43:51.615743Z' })).toBe(true);
    expect(await found({ last_updated_date: '2026-03-04T10:43:51.615743-05:00' })).toBe(true);
    expect(await found({ last_updated_date_from: '2026-03-04T15:43:51.616Z' })).toBe(false);
  });

  it('interprets a time without an offset in that time zone', async () => {
    expect(await found({ last_updated_date: '2026-03-04T21:13:51.615743' })).toBe(true);
    expect(await found({ last_updated_date_to: '2026-03-04T21:13:51.615742' })).toBe(false);
    expect(await found({ last_updated_date_from: '2026-03-04T21:13' })).toBe(true);
    expect(await found({ last_updated_date_from: '2026-03-05' })).toBe(false);
    expect(await found({ last_updated_date_to: '2026-03-05' })).toBe(true);
  });

  it('includes the whole day in that time zone if an upper bound is a date', async () => {
    // 4 March 21:13 in Kolkata.
    for (const name of ['last_updated_date_to', 'last_updated_date__lte']) {
      expect(await found({ [name]: '2026-03-04' })).toBe(true);
      expect(await found({ [name]: '2026-03-03' })).toBe(false);
      expect(await found({ [name]: '2026-03-04T00:00' })).toBe(false);
    }
    for (const name of ['last_updated_date_from', 'last_updated_date__gte', 'last_updated_date__gt'])
      expect(await found({ [name]: '2026-03-04' })).toBe(true);
    expect(await found({ last_updated_date__lt: '2026-03-04' })).toBe(false);
  });

  it('includes the whole day of date_to in the activity stream', async () => {
    const { date_from: from, date_to: to } = await bodyOf(
      test.api.get<{ date_from: string; date_to: string }>('/activity-stream/', {
        date_from: '2026-03-04',
        date_to: '2026-03-04',
      }),
    );
    expect([from, to]).toEqual(['2026-03-04T00:00:00.000000+05:30', '2026-03-04T23:59:59.999999+05:30']);
  });

  it('accepts an unescaped plus sign in a filter', async () => {
    const { results } = await bodyOf(
      test.api.get<List<Countermeasure>>(`${path}?id__in=${created.id}&last_updated_date=${created.last_updated_date}`),
    );
    expect(results).toHaveLength(1);
  });

  it.each([
    'yesterday',
    '2026-13-01',
    '2026-02-30',
    '2026-03-04T25:00',
    '2026-03-04T21:13:51+99:00',
    '0000-01-01',
    '12345-01-01',
    '1',
    ''.padEnd(500, '9'),
  ])('returns 400 for "%s"', async (value) => {
    expect(await bodyOf(test.api.get(path, { last_updated_date_from: value }), 400)).toEqual({
      last_updated_date_from: [expect.any(String)],
    });
  });
});

describe('Timestamps in a TIME_ZONE with daylight saving time', () => {
  const test = useTestApi({ TIME_ZONE: 'Europe/Berlin' });

  it('returns each timestamp with the offset of its season', async () => {
    const { id } = await makeCountermeasure(test.api);
    const shown = async (moment: string): Promise<string> => {
      await test.database.query('UPDATE countermeasure_version SET updated_at = $2 WHERE item_id = $1', [id, moment]);
      return (await bodyOf(test.api.get<Countermeasure>(`${path}${id}/`))).last_updated_date;
    };
    expect(await shown('2026-01-04T12:00:00.000001Z')).toBe('2026-01-04T13:00:00.000001+01:00');
    expect(await shown('2026-07-04T12:00:00Z')).toBe('2026-07-04T14:00:00.000000+02:00');
  });
});

describe('Timestamps in the TIME_ZONE UTC', () => {
  const test = useTestApi();

  it('returns the offset +00:00', async () => {
    expect((await makeCountermeasure(test.api)).created_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
  });
});
