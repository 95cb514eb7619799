import { rejectedFields } from '#test/support/client.js';
import { writeActivity } from '#test/support/activities.js';
import { makeWeakness, unique } from '#test/support/factories.js';
import { STREAM_PATH, useActivityStream } from '#test/support/activity-streams.js';

const { test, streamOf } = useActivityStream();

describe('Filters of an activity stream', () => {
  const found = async (query: Record<string, string | number>): Promise<string[]> =>
    (await streamOf({ page_size: 1000, ...query })).results.map(({ text }) => text);
  const marker = unique('filter');
  const at = (index: number) => `${marker} ${index}`;

  beforeAll(async () => {
    const data = [
      { project: 71, project_desc: 'a', application: 61 },
      { project: 72, application: 61 },
      { task: '71-T21', standard: 'T21', project: 71, application: 61 },
      { standard: 'T22' },
      { user: 'U7', user_desc: 'x' },
      { user: 'U8' },
    ];
    for (const [index, entry] of data.entries())
      await writeActivity(test, {
        name: index % 2 ? 'OddActivity' : 'EvenActivity',
        text: at(index),
        data: entry,
        actor: index === 5 ? null : test.organization.admin.id,
      });
  });

  it.each<[Record<string, string | number>, number[]]>([
    [{ name: 'OddActivity' }, [5, 3, 1]],
    [{ name__in: 'OddActivity,EvenActivity,OddActivity, ' }, [5, 4, 3, 2, 1, 0]],
    [{ name__in: ',' }, []],
    [{ name: 'oddactivity' }, []],
    [{ name__iexact: 'oddactivity' }, [5, 3, 1]],
    [{ name__icontains: 'DDACT' }, [5, 3, 1]],
    [{ name__icontains: 'ddact', project: 71 }, []],
    [{ name__icontains: '_' }, []],
    [{ name: 'BogusActivity' }, []],
    [{ project: 71 }, [2, 0]],
    [{ project: '+071' }, [2, 0]],
    [{ project: '9'.repeat(40) }, []],
    [{ project__in: '71,72,73' }, [2, 1, 0]],
    [{ project__isnull: 'false' }, [2, 1, 0]],
    [{ application: 61, name: 'OddActivity' }, [1]],
    [{ project: 71, name__in: 'EvenActivity,OddActivity', standard__isnull: 'true' }, [0]],
    [{ user: 'U7' }, [4]],
    [{ user: 7 }, [4]],
    [{ user__in: '7,U8' }, [5, 4]],
    [{ standard: 'T21' }, [2]],
    [{ standard__in: 'T21,T22,T999999' }, [3, 2]],
    [{ standard: 'T999999' }, []],
    [{ task: '71-T21' }, [2]],
    [{ task__in: '71-T21,72-T21' }, [2]],
    [{ task: '71-T22' }, []],
    [{ actor__isnull: 'true', search: 'filter' }, [5]],
    [{ search: 'OddActivity filter' }, [5, 3, 1]],
    [{ search: 'eVENact FILT' }, [4, 2, 0]],
    [{ search: '%' }, []],
    [{ search: '_' }, []],
  ])('returns only the matching activities for %j', async (query, places) => {
    const texts = (await found(query)).filter((text) => text.startsWith(marker));
    expect(texts).toEqual(places.map(at));
  });

  it('returns the activities of a user for the filter actor', async () => {
    const other = await test.newUser({ role: 'UR4' });
    await makeWeakness(other.api);
    expect(await found({ actor: other.id })).toHaveLength(1);
    expect(await found({ actor__in: `${other.id},999999` })).toHaveLength(1);
    expect((await found({ actor__in: `${other.id},${test.organization.admin.id}` })).length).toBeGreaterThan(1);
  });

  it('returns 400 for invalid values, repeated filters and other orderings', async () => {
    const wrong: Record<string, string | string[]>[] = [
      { project: 'x' },
      { task: 'T21' },
      { standard: 'no id' },
      { standard__in: 'T21,P1' },
      { project__in: '1,x' },
      { application: '1.5' },
      { actor: 'me' },
      { user: 'T1' },
      { project__isnull: 'maybe' },
      { name: ['a', 'b'] },
      { name: '\0' },
      { ordering: 'date' },
      { ordering: 'name' },
    ];
    for (const query of wrong)
      expect(await rejectedFields(test.api.get(STREAM_PATH, query))).toEqual(Object.keys(query));
    await streamOf({ ordering: '-date' });
  });

  it('ignores unknown filters, but rejects them with 400 in strict mode', async () => {
    await streamOf({ unknown: 1, page: 3 });
    expect(await rejectedFields(test.api.strict.get(STREAM_PATH, { unknown: 1, page: 3 }))).toEqual([
      'unknown',
      'page',
    ]);
  });
});

describe('Searching an activity stream', () => {
  const TITLE = 'A *bold* my_proj [x] C:\\temp <b> `code` 100%';
  const marker = unique('searched').split(' ')[1] ?? '';
  const found = async (words: string): Promise<number> =>
    (await streamOf({ search: `${words} ${marker}` })).results.length;

  beforeAll(() => makeWeakness(test.api, { title: `${TITLE} ${marker}` }));

  it.each([...TITLE.split(' '), 'y_p', 'MY_PROJ', '[x', '*', '\\'])(
    'finds a title by %j, as it was entered',
    async (word) => {
      expect(await found(word)).toBe(1);
    },
  );

  it.each(['*Ada', 'my\\_proj', '\\[x\\]', 'C:\\\\temp'])('finds a text by %j, as it is returned', async (word) => {
    expect(await found(word)).toBe(1);
  });

  it.each(['my-proj', 'my_pro_', '[xx]', 'C:temp', '1%0', 'A_*bold*'])(
    'does not find the title or the text by %j',
    async (word) => {
      expect(await found(word)).toBe(0);
    },
  );
});
