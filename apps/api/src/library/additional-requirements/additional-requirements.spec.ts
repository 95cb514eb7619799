import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeCountermeasure, unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();

interface Part {
  id: string;
  title: string;
  ordinal: number;
}

const add = (task: string, fields: object = {}): Promise<Part> =>
  bodyOf(
    test.api.post<Part>(`/library/tasks/${task}/amendments/`, { title: unique('Requirement'), text: 'x', ...fields }),
  );

/** A countermeasure with three additional requirements. */
async function withThree(): Promise<{ task: string; ids: [string, string, string] }> {
  const { id: task } = await makeCountermeasure(test.api);
  const ids = [await add(task), await add(task), await add(task)].map(({ id }) => id);
  return { task, ids: ids as [string, string, string] };
}

describe('Additional requirements', () => {
  it('are created with 200 at the end, with ids and negative db_ids', async () => {
    const { id: task } = await makeCountermeasure(test.api);
    const first = await add(task, { match_conditions: [{ required: ['A1'] }] });
    expect(first).toMatchObject({
      id: expect.stringMatching(/^CTA[1-9]\d*$/),
      db_id: -Number(first.id.slice(3)),
      type: 'Custom',
      ordinal: 1,
      active: true,
      match_conditions: [{ required: ['A1'], excluded: [] }],
    });
    expect((await add(task)).ordinal).toBe(2);
  });

  it('are included in their countermeasure in order', async () => {
    const { task, ids } = await withThree();
    const { amendments } = await bodyOf(
      test.api.get<{ amendments: Part[] }>(`/library/tasks/${task}/`, { include: 'amendments' }),
    );
    expect(amendments.map(({ id, ordinal }) => [id, ordinal])).toEqual(ids.map((id, index) => [id, index + 1]));
  });

  it('accept the list parameters for a single item: an inactive one is a 404 with active=true', async () => {
    const [first] = await rowsOf(test.api.get<List<Part>>('/library/tasks/T1/amendments/'));
    const at = `/library/tasks/T1/amendments/${first?.id}/`;
    await bodyOf(test.api.strict.get(at, { active: true, show_original: true, include: 'match_conditions' }));
    expect(await rejectedFields(test.api.get(at, { active: 'x' }))).toEqual(['active']);
    await bodyOf(test.api.get(at, { active: false }), 404);
    // Filters do not apply to the response of a change.
    expect(await bodyOf(test.api.patch(`${at}?active=true`, { active: false }))).toMatchObject({ active: false });
    await bodyOf(test.api.get(at, { active: true }), 404);
    await bodyOf(test.api.get(at, { active: false }));
    await bodyOf(test.api.get(at, { active: true, show_original: true }));
  });

  it('accept a new order that contains each of them and the solution placeholder once', async () => {
    const { task, ids } = await withThree();
    const [a, b, c] = ids;
    const { results } = await bodyOf(
      test.api.patch<List<Part>>(`/library/tasks/${task}/amendments/order/`, { order: [c, 'SP', a, b] }),
    );
    const places = [
      [c, -1],
      [a, 1],
      [b, 2],
    ];
    expect(results.map(({ id, ordinal }) => [id, ordinal])).toEqual(places);
    const rows = await rowsOf(test.api.get<List<Part>>(`/library/tasks/${task}/amendments/`));
    expect(rows.map(({ id, ordinal }) => [id, ordinal])).toEqual(places);
    expect((await add(task)).ordinal).toBe(3);
  });

  it('close gaps in the order after a deletion, before and after the solution', async () => {
    const { task, ids } = await withThree();
    const [a, b, c] = ids;
    const path = `/library/tasks/${task}/amendments/`;
    const { id: d } = await add(task);
    await bodyOf(test.api.patch(`${path}order/`, { order: [a, b, 'SP', c, d] }));
    await bodyOf(test.api.delete(`${path}${b}/`), 204);
    await bodyOf(test.api.delete(`${path}${c}/`), 204);
    const places = [
      [a, -1],
      [d, 1],
    ];
    const placesOf = (parts: readonly Part[]) => parts.map(({ id, ordinal }) => [id, ordinal]);
    expect(placesOf(await rowsOf(test.api.get<List<Part>>(path)))).toEqual(places);
    const { amendments } = await bodyOf(
      test.api.get<{ amendments: Part[] }>(`/library/tasks/${task}/`, { include: 'amendments' }),
    );
    expect(placesOf(amendments)).toEqual(places);
    const order = [a, 'SP', d];
    await changesNothing(test, () => bodyOf(test.api.patch(`${path}order/`, { order })));
    expect((await add(task)).ordinal).toBe(2);
  });

  it('have unique positions, even after a built-in one is restored', async () => {
    const path = '/library/tasks/T1/amendments/';
    const before = await rowsOf(test.api.get<List<Part>>(path));
    const [first] = before;
    const { id: added } = await add('T1');
    const order = ['SP', added, ...before.map(({ id }) => id).toReversed()];
    await bodyOf(test.api.patch(`${path}order/`, { order }));
    await bodyOf(test.api.delete(`${path}${first?.id}/`), 204);
    const after = await rowsOf(test.api.get<List<Part>>(path));
    expect(after.map(({ ordinal }) => ordinal)).toEqual(after.map((_, index) => index + 1));
    const ids = (parts: readonly Part[]) => parts.map(({ id }) => id);
    await bodyOf(test.api.patch(`${path}${first?.id}/`, { active: false }));
    expect(ids(await rowsOf(test.api.get<List<Part>>(path)))).toEqual(ids(after));
  });

  it('never fail with a server error when they are ordered and deleted concurrently', async () => {
    for (let tries = 0; tries < 5; tries += 1) {
      const { task, ids } = await withThree();
      const path = `/library/tasks/${task}/amendments/`;
      const [ordered] = await Promise.all([
        test.api.patch(`${path}order/`, { order: [...ids.toReversed(), 'SP'] }),
        ...ids.map((id) => bodyOf(test.api.delete(`${path}${id}/`), 204)),
      ]);
      expect([200, 400]).toContain(ordered.status);
    }
  });

  it('reject an order with missing, duplicate or unrelated entries, and change nothing', async () => {
    const { task, ids } = await withThree();
    const other = await withThree();
    const [a, b, c] = ids;
    const wrong = [
      [a, b, c],
      [a, b, 'SP'],
      [a, b, c, 'SP', 'SP'],
      [a, a, b, c, 'SP'],
      [a, b, c, 'SP', other.ids[0]],
      [a, b, c, 'SP', 'CTA999'],
      [],
      ['SP'],
      [1],
      'SP',
      null,
    ];
    for (const order of wrong)
      expect(
        await changesNothing(test, () =>
          rejectedFields(test.api.patch(`/library/tasks/${task}/amendments/order/`, { order })),
        ),
      ).toEqual(['order']);
    expect(await rejectedFields(test.api.patch(`/library/tasks/${task}/amendments/order/`, {}))).toEqual(['order']);
  });

  it('record activities with their own title and their countermeasure', async () => {
    const { id: task, title } = await makeCountermeasure(test.api);
    const activities = await activitiesOf(test, async () => {
      const { id } = await add(task, { title: 'Told about' });
      await bodyOf(test.api.patch(`/library/tasks/${task}/amendments/${id}/`, { active: false }));
      await bodyOf(test.api.delete(`/library/tasks/${task}/amendments/${id}/`), 204);
    });
    expect(activities).toMatchObject(
      ['CreatedAmendmentActivity', 'DeactivatedAmendmentActivity', 'DeletedAmendmentActivity'].map((name) => ({
        name,
        icon: 'add',
        log_level: 'user',
        data: { amendment_desc: 'Told about', standard: task, standard_desc: title },
      })),
    );
  });

  it('are deleted with their countermeasure', async () => {
    const { task, ids } = await withThree();
    await bodyOf(test.api.delete(`/library/tasks/${task}/`), 204);
    await bodyOf(test.api.get(`/library/tasks/${task}/amendments/${ids[0]}/`), 404);
    expect(
      await test.database.query('SELECT 1 FROM additional_requirement_version WHERE item_id = ANY($1)', [ids]),
    ).toEqual([]);
  });
});

describe('How-tos', () => {
  it('have a slug derived from their first title, which does not change', async () => {
    const { id: task } = await makeCountermeasure(test.api);
    const path = `/library/tasks/${task}/implementations/`;
    const created = await bodyOf(
      test.api.post<{ id: string; slug: string }>(path, { title: 'Spring Security!', text: 'x' }),
    );
    expect(created).toMatchObject({ id: expect.stringMatching(/^CI[1-9]\d*$/), slug: 'spring-security' });
    expect(await bodyOf(test.api.patch(`${path}${created.id}/`, { title: 'Other' }))).toMatchObject({
      slug: 'spring-security',
    });
    const { how_tos: shown } = await bodyOf(
      test.api.get<{ how_tos: object[] }>(`/library/tasks/${task}/`, { include: 'how_tos' }),
    );
    expect(shown).toMatchObject([
      { id: created.id, slug: 'spring-security', url: `/library/tasks/${task}/implementations/${created.id}/` },
    ]);
  });

  it('have a slug derived from their id if the title has no letter or digit', async () => {
    const { id: task } = await makeCountermeasure(test.api);
    const path = `/library/tasks/${task}/implementations/`;
    const created = await bodyOf(test.api.post<{ id: string; slug: string }>(path, { title: '…!', text: 'x' }));
    expect(created.slug).toBe(created.id.toLowerCase());
  });
});
