import { useTestApi } from '#test/support/api.js';
import { type Answer, bodyOf } from '#test/support/client.js';
import { builtIns, makeComponent, unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Component } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/components/';
const at = (id: string): string => `${path}${id}/`;
const nextBuiltIn = builtIns<Component>(path);

const rejected = (send: () => Promise<Answer<object>>): Promise<unknown> =>
  changesNothing(test, () => bodyOf(send(), 400));

describe('Creating a component', () => {
  it('returns 201 with the complete component, its questions and the defaults for omitted fields', async () => {
    const title = unique('Component');
    const created = await bodyOf(test.api.post<Component>(path, { title: `  ${title} ` }), 201);
    expect(created).toEqual({
      id: expect.stringMatching(/^CSC[1-9]\d*$/),
      db_id: -Number(created.id.slice(3)),
      url: at(created.id),
      type: 'Custom',
      is_custom: true,
      title,
      description: '',
      category: '',
      created: expect.any(String),
      updated: expect.any(String),
      answer_mapping: null,
      tasks_implemented: [],
      tasks_introduced: [],
      hidden: true,
      implied_attributes: [],
      icon_slug: 'mui-hub',
      icon_url: '/static/components/icons/mui-hub.svg',
      component_questions: [],
    });
    const { component_questions: _, ...plain } = created;
    expect(await bodyOf(test.api.get(at(created.id)))).toEqual(plain);
  });

  it('keeps lists in the given order without duplicates, and the questionnaire unchanged', async () => {
    const questions = [
      { question: 'AQ2', parent_answer: null },
      { question: 'AQ1', parent_answer: 'AA3' },
    ];
    const created = await makeComponent(test.api, {
      tasks_implemented: ['T9', 'T1', 'T9'],
      tasks_introduced: ['T3', 'T2'],
      implied_attributes: ['AT5', 'AT2'],
      answer_mapping: 'A64',
      component_questions: questions,
      icon_slug: 'webhook',
      hidden: 'FALSE',
    });
    expect(created).toMatchObject({
      tasks_implemented: ['T9', 'T1'],
      tasks_introduced: ['T3', 'T2'],
      implied_attributes: ['AT5', 'AT2'],
      answer_mapping: 'A64',
      component_questions: questions,
      icon_url: '/static/components/icons/webhook.svg',
      hidden: false,
    });
  });

  it.each<[string, object, object]>([
    ['a blank title', { title: ' ' }, { title: ['This field may not be blank.'] }],
    [
      'null for fields that require a value',
      { title: 'x', hidden: null, tasks_implemented: null, icon_slug: null },
      {
        hidden: ['This field may not be null.'],
        tasks_implemented: ['This field may not be null.'],
        icon_slug: ['This field may not be null.'],
      },
    ],
    [
      'references that do not exist',
      {
        title: 'x',
        answer_mapping: 'A999',
        tasks_implemented: ['T1', 'T999', 'P1'],
        tasks_introduced: ['CT999999'],
        implied_attributes: ['AT9999'],
        icon_slug: 'no-such-icon',
      },
      {
        answer_mapping: ['"A999" does not exist.'],
        tasks_implemented: ['"T999" does not exist.', '"P1" does not exist.'],
        tasks_introduced: ['"CT999999" does not exist.'],
        implied_attributes: ['"AT9999" does not exist.'],
        icon_slug: ['"no-such-icon" does not exist.'],
      },
    ],
    [
      'a countermeasure in both lists',
      { title: 'x', tasks_implemented: ['T1', 'T2'], tasks_introduced: ['T2'] },
      { non_field_errors: ['"T2" is in both tasks_implemented and tasks_introduced.'] },
    ],
    [
      'unknown or duplicate questions, and ones that depend on an answer no question offers',
      {
        title: 'x',
        component_questions: [
          { question: 'AQ1' },
          { question: 'AQ999' },
          { question: 'AQ1' },
          { question: 'AQ2', parent_answer: 'AA999' },
          { question: 'AQ3', parent_answer: 'AA38' },
        ],
      },
      {
        component_questions: [
          {},
          { question: ['"AQ999" does not exist.'] },
          { question: ['"AQ1" is given twice.'] },
          { parent_answer: ['"AA999" does not exist.'] },
          { parent_answer: ['"AA38" does not belong to a question of this questionnaire.'] },
        ],
      },
    ],
    [
      'questions that depend on each other, but not those that depend on them',
      {
        title: 'x',
        component_questions: [
          { question: 'AQ1', parent_answer: 'AA3' },
          { question: 'AQ2', parent_answer: 'AA1' },
          { question: 'AQ3', parent_answer: 'AA1' },
        ],
      },
      {
        component_questions: [
          { parent_answer: ['"AQ1" would only be asked after itself.'] },
          { parent_answer: ['"AQ2" would only be asked after itself.'] },
          {},
        ],
      },
    ],
    [
      'question ids in place of objects',
      { title: 'x', component_questions: ['AQ1'] },
      { component_questions: [expect.objectContaining({ non_field_errors: ['Invalid data. Expected an object.'] })] },
    ],
  ])('rejects %s and changes nothing', async (_case, body, errors) => {
    expect(await rejected(() => test.api.post(path, body))).toEqual(errors);
  });

  it('rejects lists of more than 10,000 items and descriptions of more than 100,000 characters', async () => {
    const many = Array.from({ length: 10_001 }, (_, n) => `T${n + 1}`);
    const questions = many.map((question) => ({ question }));
    const bodies = [
      { tasks_implemented: many },
      { component_questions: questions },
      { description: 'x'.repeat(100_001) },
    ];
    for (const body of bodies)
      expect(Object.keys((await rejected(() => test.api.post(path, { title: 'x', ...body }))) as object)).toEqual(
        Object.keys(body),
      );
  });

  it('requires the permission customize_content, which reading does not', async () => {
    const { api } = await test.newUser();
    expect((await api.post(path, { title: 'x' })).status).toBe(403);
    expect((await api.get(path)).status).toBe(200);
  });
});

describe('Changing a component', () => {
  it('checks the resulting lists, not only those sent, for a countermeasure in both', async () => {
    const { id } = await makeComponent(test.api, { tasks_implemented: ['T1'], tasks_introduced: ['T2'] });
    expect(await rejected(() => test.api.patch(at(id), { tasks_introduced: ['T3', 'T1'] }))).toEqual({
      non_field_errors: ['"T1" is in both tasks_implemented and tasks_introduced.'],
    });
    const swapped = { tasks_implemented: ['T2'], tasks_introduced: ['T1'] };
    expect(await bodyOf(test.api.patch(at(id), swapped))).toMatchObject(swapped);
  });

  it('replaces the whole questionnaire and returns it', async () => {
    const { id } = await makeComponent(test.api, { component_questions: [{ question: 'AQ1' }, { question: 'AQ2' }] });
    const changed = await bodyOf(test.api.patch<Component>(at(id), { component_questions: [{ question: 'AQ3' }] }));
    expect(changed.component_questions).toEqual([{ question: 'AQ3', parent_answer: null }]);
    expect((await bodyOf(test.api.patch<Component>(at(id), { component_questions: [] }))).component_questions).toEqual(
      [],
    );
  });

  it('accepts the objects that expand returns in place of ids, and rejects others', async () => {
    const lists = { tasks_implemented: ['T2', 'T1'], implied_attributes: ['AT2'] };
    const [source, target] = [await makeComponent(test.api, lists), await makeComponent(test.api)];
    const expand = 'tasks,implied_attributes';
    const { tasks_implemented, implied_attributes } = await bodyOf(test.api.get<Component>(at(source.id), { expand }));
    expect(tasks_implemented[0]).toMatchObject({ id: 'T2', active: true });
    expect(
      await bodyOf(
        test.api.patch(at(target.id), { tasks_implemented, implied_attributes: [...implied_attributes, 'AT3'] }),
      ),
    ).toMatchObject({ tasks_implemented: ['T2', 'T1'], implied_attributes: ['AT2', 'AT3'] });
    for (const entry of [{}, { id: {} }, { id: null }, { id: 'T9999' }, { id: ['T1'] }, [{ id: 'T1' }]])
      expect(await rejected(() => test.api.patch(at(target.id), { tasks_implemented: [entry] }))).toEqual({
        tasks_implemented: [expect.any(String)],
      });
  });

  it('removes the answer with null', async () => {
    const { id } = await makeComponent(test.api, { answer_mapping: 'A64' });
    expect(await bodyOf(test.api.patch(at(id), { answer_mapping: null }))).toMatchObject({ answer_mapping: null });
  });

  it('accepts an empty object and changes nothing', async () => {
    const { id, updated } = await makeComponent(test.api);
    expect(await activitiesOf(test, () => bodyOf(test.api.patch(at(id), {})))).toEqual([]);
    expect(await bodyOf(test.api.get(at(id)))).toMatchObject({ updated });
  });

  it('records hiding and showing as separate activities', async () => {
    const { id, title } = await makeComponent(test.api);
    const names = async (changes: object): Promise<string[]> =>
      (await activitiesOf(test, () => bodyOf(test.api.patch(at(id), changes)))).map(({ name }) => name);
    expect(await names({ hidden: false })).toEqual(['ActivatedReusableComponentActivity']);
    expect(await names({ hidden: false })).toEqual(['UpdatedReusableComponentActivity']);
    expect(await names({ hidden: true, title })).toEqual([
      'UpdatedReusableComponentActivity',
      'DeactivatedReusableComponentActivity',
    ]);
    const [created] = await activitiesOf(test, () => makeComponent(test.api, { title }));
    expect(created).toMatchObject({
      name: 'CreatedReusableComponentActivity',
      icon: 'hub',
      log_level: 'user',
      data: { component: expect.stringMatching(/^CSC/), component_desc: title },
    });
  });
});

describe('A built-in component', () => {
  it('is customized only for the organization that changes it, and restored by DELETE', async () => {
    const { id, title } = await nextBuiltIn(test.api);
    const questions = { include: 'component_questions' };
    const before = await bodyOf(test.api.get<Component>(at(id), questions));
    const changed = await bodyOf(test.api.patch<Component>(at(id), { title: unique('Ours'), hidden: true }));
    expect(changed).toEqual({
      ...before,
      title: changed.title,
      hidden: true,
      type: 'Built-in Modified',
      updated: changed.updated,
    });
    expect(changed.updated).not.toBe(before.updated);
    const original = await bodyOf(test.api.get(at(id), { ...questions, show_original: true }));
    expect(original).toEqual({ ...before, type: 'Built-in Modified' });
    const other = await test.newOrganization();
    expect(await bodyOf(other.api.get(at(id), questions))).toEqual(before);

    await bodyOf(test.api.delete(at(id)), 204);
    expect(await bodyOf(test.api.get(at(id), questions))).toEqual(before);
    expect(before.title).toBe(title);
  });

  it('rejects a different icon', async () => {
    const { id, icon_slug: icon } = await nextBuiltIn(test.api);
    const message = { icon_slug: ["The icon of built-in components can't be changed."] };
    await changesNothing(test, () => bodyOf(test.api.patch(at(id), { icon_slug: icon })));
    expect(await rejected(() => test.api.patch(at(id), { icon_slug: 'webhook' }))).toEqual(message);
    await bodyOf(test.api.patch(at(id), { title: unique('Ours') }));
    expect(await rejected(() => test.api.patch(at(id), { icon_slug: 'webhook' }))).toEqual(message);
  });

  it('rejects different implied attributes', async () => {
    const { id, implied_attributes: attributes } = await nextBuiltIn(test.api);
    const answer = await changesNothing(test, () =>
      bodyOf(test.api.patch<Component>(at(id), { implied_attributes: attributes })),
    );
    expect(answer).toMatchObject({ type: 'Built-in', implied_attributes: attributes });
    expect(
      await rejected(() => test.api.patch(at(id), { implied_attributes: [...(attributes ?? []), 'AT1'] })),
    ).toEqual({
      implied_attributes: ["The attributes of built-in components can't be changed."],
    });
  });

  it('cannot be deleted: the error suggests hiding it', async () => {
    const { id } = await nextBuiltIn(test.api);
    expect(await bodyOf(test.api.delete<{ detail: string }>(at(id)), 403)).toEqual({
      detail: expect.stringContaining('"hidden" to true'),
    });
  });
});
