import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { builtIns, countermeasureBody, makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import type { Countermeasure, List, Weakness } from '#test/support/resources.js';

const test = useTestApi();
const nextBuiltIn = builtIns<Countermeasure>('/library/tasks/');

/** Runs `action` many times at once. */
const atOnce = <Result>(count: number, action: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => action(index)));

describe('Concurrent requests', () => {
  it('create 50 countermeasures with 50 distinct ids', async () => {
    const created = await atOnce(50, () => makeCountermeasure(test.api));
    expect(new Set(created.map((item) => item.id)).size).toBe(50);
    expect(new Set(created.map((item) => item.db_id)).size).toBe(50);
  });

  it('create match conditions with distinct ids', async () => {
    const created = await atOnce(20, () =>
      makeCountermeasure(test.api, { match_conditions: [{ required: ['A1'] }, { required: ['A2'] }] }),
    );
    const ids = created.flatMap((item) => (item.match_conditions ?? []).map((condition) => condition.id));
    expect(new Set(ids).size).toBe(40);
  });

  it('create exactly one weakness with a title, and get a title error for the others', async () => {
    const title = unique('Contended');
    const answers = await atOnce(20, (index) =>
      test.api.post('/library/problems/', {
        title: index % 2 ? title.toUpperCase() : ` ${title} `,
        text: 'x',
        risk_rating: 1,
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
    for (const answer of answers.filter(({ status }) => status === 400))
      expect(answer.body).toEqual({ title: [expect.any(String)] });
    expect(await rowsOf(test.api.get<List<Weakness>>('/library/problems/', { search: title }))).toHaveLength(1);
  });

  it('create only one customization of a built-in item when it first changes', async () => {
    const { id } = await nextBuiltIn(test.api);
    const answers = await atOnce(20, (index) =>
      test.api.patch<Countermeasure>(`/library/tasks/${id}/`, { priority: (index % 10) + 1 }),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const versions = await test.database.query(
      `SELECT 1 FROM countermeasure_version WHERE item_id = $1 AND organization_id = $2`,
      [id, test.organization.id],
    );
    expect(versions).toHaveLength(1);
    const activities = await test.database.query(`SELECT 1 FROM activity WHERE data ->> 'standard' = $1`, [id]);
    expect(activities).toHaveLength(20);
  });

  it('change, read and restore a built-in item without a server error', async () => {
    const { id } = await nextBuiltIn(test.api);
    const answers = await atOnce(60, (index) => {
      const path = `/library/tasks/${id}/`;
      if (index % 3 === 0) return test.api.patch(path, { priority: 3, match_conditions: [{ required: ['A1'] }] });
      return index % 3 === 1 ? test.api.delete(path) : test.api.get(path, { include: 'match_conditions' });
    });
    const unexpected = answers.filter(({ status }) => ![200, 204, 403].includes(status));
    expect(unexpected.map(({ method, status }) => `${method} ${status}`)).toEqual([]);
  });

  it('lose no countermeasure that is created for a weakness being deleted: each is rejected or moved', async () => {
    for (let round = 0; round < 5; round += 1) {
      const doomed = await makeWeakness(test.api);
      const heir = await makeWeakness(test.api);
      const [removal, ...creations] = await Promise.all([
        test.api.delete(`/library/problems/${doomed.id}/`, { new_weakness_id: heir.id }),
        ...Array.from({ length: 10 }, () =>
          test.api.post<Countermeasure>('/library/tasks/', countermeasureBody({ problem: doomed.id })),
        ),
      ]);
      expect(removal.status).toBe(204);
      for (const { status, body } of creations) {
        expect([200, 400]).toContain(status);
        if (status === 400) expect(body).toEqual({ problem: [`"${doomed.id}" does not exist.`] });
      }
      const createdIds = creations.filter(({ status }) => status === 200).map(({ body }) => body.id);
      const moved = await rowsOf(test.api.get<List<Countermeasure>>('/library/tasks/', { problem: heir.id }));
      expect(moved.map((row) => row.id).sort()).toEqual(createdIds.sort());
    }
  });

  it('delete a weakness without a successor while countermeasures are created, without a server error', async () => {
    for (let round = 0; round < 5; round += 1) {
      const doomed = await makeWeakness(test.api);
      const answers = await Promise.all([
        test.api.delete(`/library/problems/${doomed.id}/`),
        ...Array.from({ length: 5 }, () =>
          test.api.post('/library/tasks/', countermeasureBody({ problem: doomed.id })),
        ),
        test.api.delete(`/library/problems/${doomed.id}/`),
      ]);
      const isDeleted = answers.some(({ method, status }) => method === 'DELETE' && status === 204);
      const created = answers.filter(({ method, status }) => method === 'POST' && status === 200);
      expect(isDeleted && created.length > 0).toBe(false);
      for (const { status } of answers) expect([200, 204, 400, 404]).toContain(status);
    }
  });

  it('delete only one of two weaknesses that name each other as successor, and orphan no countermeasure', async () => {
    for (let round = 0; round < 5; round += 1) {
      const one = await makeWeakness(test.api);
      const two = await makeWeakness(test.api);
      const mine = await makeCountermeasure(test.api, { problem: one.id });
      const theirs = await makeCountermeasure(test.api, { problem: two.id });
      const answers = await Promise.all([
        test.api.delete(`/library/problems/${one.id}/`, { new_weakness_id: two.id }),
        test.api.delete(`/library/problems/${two.id}/`, { new_weakness_id: one.id }),
      ]);
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
      for (const { id } of [mine, theirs]) {
        const { problem } = await bodyOf(test.api.get<Countermeasure>(`/library/tasks/${id}/`));
        await bodyOf(test.api.get(`/library/problems/${problem}/`));
      }
    }
  });

  it('deactivate a weakness while its countermeasures change, without a server error', async () => {
    const weakness = await makeWeakness(test.api);
    const items = await atOnce(10, () => makeCountermeasure(test.api, { problem: weakness.id }));
    const answers = await Promise.all([
      test.api.patch(`/library/problems/${weakness.id}/`, { active: false }),
      ...items.map((item) => test.api.patch(`/library/tasks/${item.id}/`, { priority: 1 })),
      test.api.patch(`/library/problems/${weakness.id}/`, { active: true }),
      ...items.map((item) =>
        test.api.patch(`/library/tasks/${item.id}/`, { title: unique('Changed'), match_conditions: [] }),
      ),
    ]);
    expect(answers.map((answer) => answer.status).filter((status) => status !== 200)).toEqual([]);
  });
});
