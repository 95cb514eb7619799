import { EntityManager } from '@mikro-orm/postgresql';
import { getEntityManagerToken } from '@mikro-orm/nestjs';
import { clientWithPreparedStatements } from '#query/prepared-statements.js';
import { useTestApi } from '#test/support/api.js';
import { type Answer, bodyOf, rowsOf } from '#test/support/client.js';
import { builtIns, makeAttribute, makeComponent, makeCountermeasure, unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Component, List } from '#test/support/resources.js';
import { LONG_READS } from '../../http/shares/long-reads.js';

const test = useTestApi();
const path = '/library/components/';
const at = (id: string): string => `${path}${id}/`;
const nextBuiltIn = builtIns<Component>(path);

/** The statements about a table that the API sends while `action` runs, recorded by its connections. */
async function statementsOn<Result>(
  table: string,
  action: () => Promise<Result>,
): Promise<{ statements: string[]; result: Result }> {
  const statements: string[] = [];
  const Connection = class extends clientWithPreparedStatements() {
    override query(...words: unknown[]): never {
      const [statement] = words;
      const text = typeof statement === 'string' ? statement : (statement as { text?: string }).text;
      if (text?.includes(table)) statements.push(text);
      return (super.query.bind(this) as (...parameters: unknown[]) => never)(...words);
    }
  };
  const tokens = [EntityManager, getEntityManagerToken(LONG_READS)];
  const pools = new Set(tokens.map((token) => test.running.app.get<EntityManager>(token)));
  for (const em of pools) {
    em.config.set('driverOptions', { ...em.config.get('driverOptions'), Client: Connection });
    await em.getDriver().reconnect();
  }
  return { result: await action(), statements };
}

const rejected = (send: () => Promise<Answer<object>>): Promise<unknown> =>
  changesNothing(test, () => bodyOf(send(), 400));

describe('References of a component', () => {
  it('are objects with expand', async () => {
    const own = await makeCountermeasure(test.api, { active: false });
    const attribute = await makeAttribute(test.api);
    const { id } = await makeComponent(test.api, {
      tasks_implemented: [own.id, 'T1'],
      implied_attributes: [attribute.id, 'AT1'],
      answer_mapping: 'A214',
    });
    const query = { expand: 'tasks,answer_mapping,implied_attributes', absolute_urls: true };
    const shown = await bodyOf(test.api.get<Record<string, unknown>>(at(id), query));
    expect(shown).toMatchObject({
      tasks_implemented: [
        { id: own.id, title: own.title, url: `${test.origin}/library/tasks/${own.id}/`, active: false },
        { id: 'T1', title: expect.any(String), url: `${test.origin}/library/tasks/T1/`, active: true },
      ],
      tasks_introduced: [],
      answer_mapping: {
        id: 'A214',
        text: expect.any(String),
        is_active: true,
        section_title: expect.any(String),
        subsection_text: expect.any(String),
        question_text: expect.any(String),
        subquestion_text: expect.any(String),
      },
      implied_attributes: [
        { id: expect.any(Number), item_id: attribute.id, name: expect.any(String) },
        { id: 1, item_id: 'AT1', name: expect.any(String) },
      ],
    });
  });

  it("must be built-in or of the same organization; another organization's component is a 404", async () => {
    const other = await test.newOrganization();
    await makeCountermeasure(other.api);
    const [task, attribute] = [await makeCountermeasure(other.api), await makeAttribute(other.api)];
    const component = await makeComponent(other.api);
    const mine = await test.newOrganization();
    await bodyOf(mine.api.get(at(component.id)), 404);
    await bodyOf(mine.api.patch(at(component.id), { title: 'x' }), 404);
    await bodyOf(mine.api.delete(at(component.id)), 404);
    expect(
      await bodyOf(
        mine.api.post(path, { title: 'x', tasks_implemented: [task.id], implied_attributes: [attribute.id] }),
        400,
      ),
    ).toEqual({
      tasks_implemented: [`"${task.id}" does not exist.`],
      implied_attributes: [`"${attribute.id}" does not exist.`],
    });
    const listed = await rowsOf(mine.api.get<List<Component>>(path, { type: 'Custom' }));
    expect(listed).toEqual([]);
  });

  it('lose a deleted countermeasure, with one activity for each component that changes', async () => {
    const task = await makeCountermeasure(test.api);
    const first = await makeComponent(test.api, { tasks_implemented: ['T1', task.id] });
    const untouched = await makeComponent(test.api, { tasks_implemented: ['T1'] });
    const { id, title } = await nextBuiltIn(test.api);
    const { tasks_introduced: introduced } = await bodyOf(test.api.get<Component>(at(id)));
    await bodyOf(test.api.patch(at(id), { tasks_introduced: [task.id, ...introduced] }));

    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(`/library/tasks/${task.id}/`), 204));
    const recorded = activities.map(({ name, data }) => [name, data['component_desc'] ?? data['standard_desc']]);
    expect(recorded).toContainEqual(['UpdatedReusableComponentActivity', first.title]);
    expect(recorded).toContainEqual(['UpdatedReusableComponentActivity', title]);
    expect(recorded).toContainEqual(['DeletedStandardActivity', task.title]);
    expect(recorded).toHaveLength(3);
    expect(await bodyOf(test.api.get(at(first.id)))).toMatchObject({ tasks_implemented: ['T1'] });
    expect(await bodyOf(test.api.get(at(id)))).toMatchObject({ tasks_introduced: introduced });
    expect(await bodyOf(test.api.get(at(untouched.id)))).toMatchObject({ updated: untouched.updated });
  });

  it('never contain a countermeasure that is deleted concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const task = await makeCountermeasure(test.api);
      const [created] = await Promise.all([
        test.api.post<Component>(path, { title: unique('Race'), tasks_implemented: [task.id] }),
        test.api.delete(`/library/tasks/${task.id}/`),
      ]);
      expect([201, 400]).toContain(created.status);
    }
    expect(
      await test.database.query(
        `SELECT v.item_id FROM component_version v, unnest(v.tasks_implemented || v.tasks_introduced) AS named(id)
         WHERE NOT EXISTS (SELECT 1 FROM countermeasure c WHERE c.id = named.id)`,
      ),
    ).toEqual([]);
  });

  it('prevent the deletion of an attribute without force, and lose it with force', async () => {
    const attribute = await makeAttribute(test.api);
    const { id } = await makeComponent(test.api, { implied_attributes: ['AT1', attribute.id] });
    const there = `/library/attributes/${attribute.id}/`;
    expect(JSON.stringify(await rejected(() => test.api.delete(there)))).toContain(id);
    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(`${there}?force=true`), 204));
    expect(activities.map(({ name }) => name)).toEqual([
      'UpdatedReusableComponentActivity',
      'DeletedAttributeActivity',
    ]);
    expect(await bodyOf(test.api.get(at(id)))).toMatchObject({ implied_attributes: ['AT1'] });
  });
});

describe('Deleting a custom component', () => {
  it('returns 204 and never reuses its id', async () => {
    const { id } = await makeComponent(test.api);
    const [activity] = await activitiesOf(test, () => bodyOf(test.api.delete(at(id)), 204));
    expect(activity).toMatchObject({ name: 'DeletedReusableComponentActivity', data: { component: id } });
    await bodyOf(test.api.get(at(id)), 404);
    const next = await makeComponent(test.api);
    expect(next.db_id).toBeLessThan(-Number(id.slice(3)));
  });
});

describe('The list of components', () => {
  it.each(['id', 'created', 'db_id'])('cannot be sorted by %s: the error lists the allowed fields', async (name) => {
    expect(await bodyOf(test.api.get(path, { ordering: name }), 400)).toEqual({
      ordering: [`Cannot sort by "${name}". Allowed: title, hidden, last_update_date_time.`],
    });
  });

  it('is read with a single statement, even with all included and expanded fields', async () => {
    await test.database.query(
      `WITH made AS (
         INSERT INTO component (organization_id, number) SELECT $1, n FROM generate_series(10001, 10900) n
         RETURNING id, organization_id, number)
       INSERT INTO component_version (component_id, organization_id, is_custom, number, title, questions,
         parent_answers,
         tasks_implemented, implied_attributes, answer_id)
       SELECT made.id, made.organization_id, true, made.number, 'Many ' || made.number, ARRAY[q.id],
         ARRAY[0]::bigint[], ARRAY[c.id], ARRAY[a.id], s.id
       FROM made, component_question q, countermeasure c, attribute a, survey_answer s
       WHERE q.item_id = 'AQ1' AND c.item_id = 'T1' AND a.item_id = 'AT1' AND s.item_id = 'A1'`,
      [test.organization.id],
    );
    const query = { include: 'component_questions', expand: 'tasks,answer_mapping,implied_attributes', search: 'Many' };
    const { statements, result } = await statementsOn('component_version', () =>
      rowsOf(test.api.get<List<Component>>(path, query)),
    );
    expect(statements).toHaveLength(1);
    expect(result).toHaveLength(900);
    expect(result[899]).toMatchObject({
      tasks_implemented: [{ id: 'T1' }],
      implied_attributes: [{ item_id: 'AT1' }],
      answer_mapping: { id: 'A1' },
      component_questions: [{ question: 'AQ1' }],
    });
  });
});
