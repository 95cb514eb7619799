import { useTestApi } from '../support/api.js';
import { type Activity, type Stream } from '../support/activities.js';
import { bodyOf } from '../support/client.js';
import { operationsOf } from '../support/document.js';
import { NOTHING_WRITTEN, titleOf, WRITINGS } from './table.js';
import type { ExpectedActivity } from './writing.js';

const test = useTestApi();

/** An activity, as the table has it. */
const asExpected = ({ name, data, icon, log_level: level }: Activity): ExpectedActivity => ({
  name,
  data: Object.keys(data).filter((key) => !key.endsWith('_desc')),
  icon,
  level: level as ExpectedActivity['level'],
});

const sorted = (activities: readonly ExpectedActivity[]): ExpectedActivity[] =>
  activities.map((one) => ({ ...one, data: [...one.data].sort() }));

describe('Write operations', () => {
  it('are all listed with their activities in test/activities/table.ts', () => {
    const operations = operationsOf(test.document)
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path.replace('/api/v2', '')}`);
    const held = new Set([...WRITINGS.map(({ operation }) => operation), ...NOTHING_WRITTEN]);
    expect(operations.filter((operation) => !held.has(operation))).toEqual([]);
    expect([...held].filter((operation) => !operations.includes(operation))).toEqual([]);
  });

  it.each(WRITINGS.map((writing) => [titleOf(writing), writing] as const))(
    'record their activities: %s',
    async (_, { activities, following, byOthers, prepare }) => {
      const request = await prepare(test);
      const [last] = (await bodyOf(test.api.get<Stream>('/activity-stream/', { page_size: 1 }))).results;
      const { status, text: answered } = await request();
      if (status >= 300) throw new Error(`The change was refused: ${status} ${answered}`);
      const { results } = await bodyOf(test.api.get<Stream>('/activity-stream/'));
      const written = results.filter(({ id }) => id > (last?.id ?? 0)).toReversed();
      const found = sorted(written.map(asExpected));
      if (following) expect(found).toEqual(expect.arrayContaining(sorted(activities)));
      else expect(found).toEqual(sorted(activities));
      for (const { actor, data, text, source } of written) {
        const keys = Object.keys(data);
        expect(source).toMatchObject({ address: expect.any(String), request_id: expect.any(String) });
        expect(actor === test.organization.admin.id).toBe(byOthers !== true);
        expect(text.startsWith('*Ada Admin* ')).toBe(byOthers !== true);
        expect(text).toMatch(/^\*.+\* [a-z]+ .*(\*.+\*|project \[.+\])/);
        if (keys.includes('project'))
          expect(text).toMatch(/ \[[^\]]+\]\(\/activity-redirect\/(project|application)\/\d+\/\)$/);
        for (const key of keys.filter((name) => !name.endsWith('_desc'))) {
          expect(keys).toContain(`${key}_desc`);
          const description = data[`${key}_desc`];
          if (typeof description !== 'object') expect(description).toEqual(expect.stringMatching(/./));
        }
      }
    },
  );
});
