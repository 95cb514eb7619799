import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { makeAttribute, makeCountermeasure, makeThreat, makeWeakness } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Attribute, AttributeCondition } from '#test/support/resources.js';

const test = useTestApi();
const at = (id: string): string => `/library/attributes/${id}/`;

beforeAll(() => bodyOf(test.api.post('/flags/', { name: 'DECISION_ENGINE' }), 201));

const conditionsOf = async (path: string): Promise<AttributeCondition[]> => {
  const query = { include: 'match_conditions' };
  return (await bodyOf(test.api.get<{ match_conditions: AttributeCondition[] }>(path, query))).match_conditions;
};

describe('Deleting an attribute that is in use', () => {
  it('is rejected with the places where it is used', async () => {
    const { id } = await makeAttribute(test.api);
    const child = await makeAttribute(test.api, { parent: id });
    const weakness = await makeWeakness(test.api, { match_conditions: [{ required_attributes: [id] }] });
    const { non_field_errors: errors } = await changesNothing(test, () =>
      bodyOf(test.api.delete<{ non_field_errors: string[] }>(at(id)), 400),
    );
    expect(errors.join()).toContain(child.id);
    expect(errors.join()).toContain(weakness.id);
    await bodyOf(test.api.delete(`${at(id)}?force=false`), 400);
  });

  it('removes it everywhere with force=true, with one activity each, and moves its children up', async () => {
    const top = await makeAttribute(test.api);
    const { id } = await makeAttribute(test.api, { parent: top.id });
    const child = await makeAttribute(test.api, { parent: id });
    const grandchild = await makeAttribute(test.api, { parent: child.id });
    const conditions = { match_conditions: [{ required_attributes: ['AT1', id], excluded_attributes: ['AT2'] }] };
    const weakness = await makeWeakness(test.api, conditions);
    const countermeasure = await makeCountermeasure(test.api, conditions);
    const within = `/library/tasks/${countermeasure.id}`;
    const part = { title: 'Part', text: 'text', match_conditions: [{ excluded_attributes: [id] }] };
    const amendment = await bodyOf(test.api.post<{ id: string }>(`${within}/amendments/`, part));
    const howTo = await bodyOf(test.api.post<{ id: string }>(`${within}/implementations/`, part));
    await bodyOf(test.api.patch('/library/problems/P7/', conditions));

    const threat = await makeThreat(test.api, conditions);
    const component = await bodyOf(
      test.api.post<{ id: string }>('/library/components/', { title: 'Holds it', implied_attributes: ['AT1', id] }),
      201,
    );

    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(`${at(id)}?force=true`), 204));
    for (const [name, data] of [
      ['UpdatedAttributeActivity', { attribute: child.id }],
      ['UpdatedWeaknessActivity', { weakness: weakness.id }],
      ['UpdatedWeaknessActivity', { weakness: 'P7' }],
      ['UpdatedStandardActivity', { standard: countermeasure.id }],
      ['UpdatedAmendmentActivity', { standard: countermeasure.id, amendment: amendment.id }],
      ['UpdatedReusableComponentActivity', { component: component.id }],
      ['UpdatedThreatActivity', { threat: threat.id }],
      ['UpdatedHowToActivity', { standard: countermeasure.id, how_to: howTo.id }],
      ['DeletedAttributeActivity', { attribute: id }],
    ] as const)
      expect(activities).toContainEqual(expect.objectContaining({ name, data: expect.objectContaining(data) }));
    expect(activities).toHaveLength(9);

    await bodyOf(test.api.get(at(id)), 404);
    expect(await bodyOf(test.api.get(`/library/components/${component.id}/`))).toMatchObject({
      implied_attributes: ['AT1'],
    });
    expect(await bodyOf(test.api.get(at(child.id)))).toMatchObject({ parent: top.id, depth: 2 });
    expect((await bodyOf(test.api.get<Attribute>(at(grandchild.id)))).path).toEqual([top.id, child.id, grandchild.id]);
    for (const path of [
      `/library/problems/${weakness.id}/`,
      `/library/threats/${threat.id}/`,
      `${within}/`,
      '/library/problems/P7/',
    ])
      expect(await conditionsOf(path)).toMatchObject([{ required_attributes: ['AT1'], excluded_attributes: ['AT2'] }]);
    for (const path of [`${within}/amendments/${amendment.id}/`, `${within}/implementations/${howTo.id}/`])
      expect(await conditionsOf(path)).toMatchObject([{ excluded_attributes: [] }]);
  });

  it('is rejected if survey or component answers add it, and removes it from them with force=true', async () => {
    const { id } = await makeAttribute(test.api);
    const [question] = await test.database.query<{ id: string }>(`
      WITH q AS (
        INSERT INTO component_question (organization_id, number, text, question_type)
        VALUES (${test.organization.id}, 501, 'Which one?', 'SC') RETURNING id, organization_id)
      INSERT INTO component_answer (organization_id, number, question_id, text, ordinal, attribute_id)
      SELECT q.organization_id, 501, q.id, 'This one', 1, a.id FROM q, attribute a
      WHERE a.organization_id = q.organization_id AND a.item_id = '${id}' RETURNING question_id AS id`);
    await test.database.query(`
      INSERT INTO survey_answer (organization_id, number, question_id, text, ordinal, attributes)
      SELECT a.organization_id, 501, q.id, 'Our own', 501, ARRAY[a.id] FROM survey_question q, attribute a
      WHERE q.item_id = 'Q1' AND a.organization_id = ${test.organization.id} AND a.item_id = '${id}'`);
    const { non_field_errors: errors } = await changesNothing(test, () =>
      bodyOf(test.api.delete<{ non_field_errors: string[] }>(at(id)), 400),
    );
    expect(errors).toEqual([
      'It is used by answers of the survey: CA501.',
      'It is used by questions of components: CAQ501.',
      expect.stringContaining('force'),
    ]);

    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(`${at(id)}?force=true`), 204));
    expect(activities.map(({ name, data }) => [name, data])).toEqual(
      expect.arrayContaining([
        ['UpdatedSurveyAnswerActivity', expect.objectContaining({ answer: 'CA501' })],
        ['UpdatedComponentQuestionActivity', expect.objectContaining({ component_question: 'CAQ501' })],
        ['DeletedAttributeActivity', expect.objectContaining({ attribute: id })],
      ]),
    );
    expect(activities).toHaveLength(3);
    const [left] = await test.database.query<{ attributes: string[]; asked: string | null }>(
      `SELECT s.attributes, a.attribute_id AS asked FROM survey_answer s, component_answer a
       WHERE s.item_id = 'CA501' AND a.question_id = $1`,
      [question?.id],
    );
    expect(left).toEqual({ attributes: [], asked: null });
  });

  it('accepts only true or false for force, and no other parameter in strict mode', async () => {
    const { id } = await makeAttribute(test.api);
    expect(await bodyOf(test.api.delete(`${at(id)}?force=maybe`), 400)).toHaveProperty('force');
    expect(await bodyOf(test.api.strict.delete(`${at(id)}?power=true`), 400)).toHaveProperty('power');
    await bodyOf(test.api.delete(`${at(id)}?force=True`), 204);
    await bodyOf(test.api.delete(`${at(id)}?force=maybe`), 404);
  });

  it('leaves no reference to it in match conditions that change concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await makeAttribute(test.api);
      const { id: weakness } = await makeWeakness(test.api);
      const [removed, named] = await Promise.all([
        test.api.delete(`${at(id)}?force=true`),
        test.api.patch(`/library/problems/${weakness}/`, { match_conditions: [{ required_attributes: [id] }] }),
      ]);
      expect(removed.status).toBe(204);
      expect([200, 400]).toContain(named.status);
      const rows = await test.database.query<{ n: string }>(
        `SELECT count(*) AS n FROM match_condition m, unnest(m.required_attributes) u(id)
         WHERE NOT EXISTS (SELECT 1 FROM attribute a WHERE a.id = u.id)`,
        [],
      );
      expect(rows[0]?.n).toBe('0');
    }
  });
});
