import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf, rowsOf } from '#test/support/client.js';
import { makeCountermeasure, unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List, UserReference } from '#test/support/resources.js';

interface Prompt {
  id: number;
  title: string;
  type: string;
  prompt: string;
  variables: string[];
  active: boolean;
  created: string;
  updated: string;
  created_by: UserReference;
  last_updated_by: UserReference;
}

interface Context {
  id: number;
  name: string;
  content_type: string;
  reference: string;
  text: string;
  ordinal: number;
  active: boolean;
}

const test = useTestApi();
const path = '/library/workflow-prompts/';
const at = (id: number): string => `${path}${id}/`;
const contextsOf = (id: number): string => `${at(id)}contexts/`;
const body = (fields: object = {}): object => ({
  title: unique('Prompt'),
  type: 'countermeasure',
  prompt: 'Explain {{countermeasure}}.',
  variables: ['countermeasure'],
  ...fields,
});
const makePrompt = (fields: object = {}, api: ApiClient = test.api): Promise<Prompt> =>
  bodyOf(api.post<Prompt>(path, body(fields)), 201);
const makeContext = (prompt: number, fields: object = {}): Promise<Context> =>
  bodyOf(test.api.post<Context>(contextsOf(prompt), { name: unique('Context'), content_type: 'text', ...fields }), 201);

describe('Creating a workflow prompt', () => {
  it('returns 201 with the prompt', async () => {
    const { id: user, email } = test.organization.admin;
    const by = { id: user, email, first_name: 'Ada', last_name: 'Admin' };
    const input = body({ title: ' Mine ', variables: ['countermeasure', ' null', 'null', ''] });
    const created = await bodyOf(test.api.post<Prompt>(path, input), 201);
    expect(created).toEqual({
      ...input,
      id: expect.any(Number),
      title: 'Mine',
      variables: ['countermeasure', 'null'],
      active: true,
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
      updated: expect.any(String),
      created_by: by,
      last_updated_by: by,
    });
    expect(await bodyOf(test.api.get(at(created.id)))).toEqual(created);
  });

  it('rejects placeholders that no variable declares, and reports all of them together', async () => {
    const rejected = await changesNothing(test, () =>
      bodyOf(test.api.post(path, body({ prompt: '{{ countermeasure }} {{a}} {{ b }} {{a}} {{}}' })), 400),
    );
    expect(rejected).toEqual({
      non_field_errors: ['a', 'b', ''].map((name) => `The placeholder "{{${name}}}" is not declared in "variables".`),
    });
    await bodyOf(test.api.post(path, { ...body(), variables: undefined }), 400);
    await bodyOf(test.api.post(path, body({ prompt: 'Single {braces} and }} alone {{', variables: [] })), 201);
  });

  it('reports all missing fields together', async () => {
    expect(Object.keys(await bodyOf(test.api.post<object>(path, {}), 400)).sort()).toEqual(['prompt', 'title', 'type']);
  });

  it.each([
    ['title', ' '],
    ['title', null],
    ['title', 'x'.repeat(501)],
    ['type', 'Report'],
    ['type', null],
    ['type', ['report']],
    ['prompt', ''],
    ['prompt', 'x'.repeat(100_001)],
    ['prompt', 'a\0'],
    ['prompt', '\ud800'],
    ['variables', null],
    ['variables', 'countermeasure'],
    ['variables', [1]],
    ['variables', ['countermeasure', 'x'.repeat(101)]],
    ['variables', Array.from({ length: 1001 }, (_, index) => `v${index}`)],
    ['active', 'maybe'],
  ])('rejects %s = %p, like a change does', async (field, value) => {
    const prompt = await makePrompt();
    const rejected = { [field]: [expect.any(String)] };
    await changesNothing(test, async () => {
      expect(await bodyOf(test.api.post(path, body({ [field]: value })), 400)).toEqual(rejected);
      expect(await bodyOf(test.api.patch(at(prompt.id), { [field]: value }), 400)).toEqual(rejected);
    });
  });
});

describe('Changing a workflow prompt', () => {
  it('checks the resulting prompt and variables, not only the fields that are sent', async () => {
    const { id } = await makePrompt();
    await changesNothing(test, async () => {
      await bodyOf(test.api.patch(at(id), { variables: [] }), 400);
      await bodyOf(test.api.patch(at(id), { prompt: 'Now {{weakness}}.' }), 400);
    });
    const changed = await bodyOf(
      test.api.patch<Prompt>(at(id), { prompt: 'Now {{weakness}}.', variables: ['weakness'] }),
    );
    expect(changed).toMatchObject({ prompt: 'Now {{weakness}}.', variables: ['weakness'] });
  });

  it('records who changed it and when', async () => {
    const prompt = await makePrompt();
    const editor = await test.newUser({ role: 'UR4' });
    const changed = await bodyOf(editor.api.patch<Prompt>(at(prompt.id), { active: false }));
    expect(changed.last_updated_by.id).toBe(editor.id);
    expect(changed.created_by).toEqual(prompt.created_by);
    expect(changed.updated > prompt.updated && changed.created === prompt.created).toBe(true);
  });
});

describe('A built-in workflow prompt', () => {
  it('exists in every organization and is created by the built-in content', async () => {
    const prompts = await rowsOf(test.api.get<List<Prompt>>(path, { created_by: 0 }));
    expect(prompts.length).toBeGreaterThanOrEqual(8);
    expect(prompts.every(({ id }) => id < 1000)).toBe(true);
    expect(new Set(prompts.map(({ type }) => type)).size).toBe(5);
  });

  it('is customized only for the organization that changes it, and restored by DELETE', async () => {
    const other = await test.newOrganization();
    const before = await bodyOf(test.api.get<Prompt>(at(4)));
    const changed = await bodyOf(test.api.patch<Prompt>(at(4), { active: false }));
    expect(changed).toMatchObject({ id: 4, active: false, created_by: before.created_by });
    expect(await bodyOf(other.api.get(at(4)))).toEqual(before);
    expect((await rowsOf(test.api.get<List<Prompt>>(path, { id: 4 }))).map(({ active }) => active)).toEqual([false]);
    await bodyOf(test.api.delete(at(4)), 204);
    expect(await bodyOf(test.api.get(at(4)))).toEqual(before);
    await changesNothing(test, () => bodyOf(test.api.delete(at(4)), 403));
  });

  it('accepts concurrent first changes and applies each of them', async () => {
    const changes = [{ title: 'First of many' }, { active: false }, { type: 'report' }, { title: 'First of many' }];
    const answers = await Promise.all(changes.map((change) => test.api.patch(at(5), change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await bodyOf(test.api.get(at(5)))).toMatchObject({ title: 'First of many', active: false, type: 'report' });
    expect(await rowsOf(test.api.get<List<Context>>(contextsOf(5)))).toHaveLength(1);
  });

  it('keeps the ids of its contexts when one is changed, deleted or added, until it is restored', async () => {
    const other = await test.newOrganization();
    const [builtIn] = await rowsOf(test.api.get<List<Context>>(contextsOf(8)));
    const id = builtIn?.id ?? 0;
    const added = await makeContext(8);
    expect(added.ordinal).toBe(2);
    expect(await bodyOf(test.api.patch(`${contextsOf(8)}${id}/`, { text: 'Ours.' }))).toEqual({
      ...builtIn,
      text: 'Ours.',
    });
    await bodyOf(test.api.delete(`${contextsOf(8)}${id}/`), 204);
    expect((await rowsOf(test.api.get<List<Context>>(contextsOf(8)))).map((context) => context.id)).toEqual([added.id]);
    expect(await rowsOf(other.api.get<List<Context>>(contextsOf(8)))).toEqual([builtIn]);
    await bodyOf(test.api.delete(at(8)), 204);
    expect(await rowsOf(test.api.get<List<Context>>(contextsOf(8)))).toEqual([builtIn]);
  });
});

describe('Contexts', () => {
  it('are created after the others, with empty texts by default', async () => {
    const { id } = await makePrompt();
    const first = await makeContext(id);
    expect(first).toMatchObject({ content_type: 'text', reference: '', text: '', ordinal: 1, active: true });
    expect((await makeContext(id, { ordinal: 7 })).ordinal).toBe(7);
    expect((await makeContext(id)).ordinal).toBe(8);
  });

  it('refer only to library items that exist for the organization', async () => {
    const { id } = await makePrompt();
    const own = await makeCountermeasure(test.api);
    for (const reference of [own.id, 'T1', 'P4', 'A1', 'REG1', 'RS20', 'GT1', 'X3', 'TH1', ''])
      expect((await makeContext(id, { content_type: 'library_item', reference })).reference).toBe(reference);
    const other = await test.newOrganization();
    const theirs = await makePrompt({}, other.api);
    for (const reference of ['T999999', 'nonsense', 't1', own.id])
      expect(
        await bodyOf(
          other.api.post(contextsOf(theirs.id), { name: 'x', content_type: 'library_item', reference }),
          400,
        ),
      ).toEqual({ reference: [`"${reference}" does not exist.`] });
  });

  it('are checked again when either the content type or the reference changes', async () => {
    const { id } = await makePrompt();
    const context = await makeContext(id, { reference: 'T999999' });
    const where = `${contextsOf(id)}${context.id}/`;
    await changesNothing(test, () => bodyOf(test.api.patch(where, { content_type: 'library_item' }), 400));
    expect(await bodyOf(test.api.patch(where, { content_type: 'library_item', reference: 'T2' }))).toMatchObject({
      content_type: 'library_item',
      reference: 'T2',
    });
    await changesNothing(test, () => bodyOf(test.api.patch(where, { reference: 'T999999' }), 400));
  });

  it('count as a change of their prompt and are deleted with it', async () => {
    const prompt = await makePrompt();
    const editor = await test.newUser({ role: 'UR4' });
    await bodyOf(editor.api.post(contextsOf(prompt.id), { name: 'x', content_type: 'project', reference: '1' }), 201);
    expect((await bodyOf(test.api.get<Prompt>(at(prompt.id)))).last_updated_by.id).toBe(editor.id);
    await bodyOf(test.api.delete(at(prompt.id)), 204);
    await bodyOf(test.api.get(contextsOf(prompt.id)), 404);
  });

  it('are found only under their own prompt', async () => {
    const [one, two] = [await makePrompt(), await makePrompt()];
    const context = await makeContext(one.id);
    await changesNothing(test, async () => {
      for (const method of ['GET', 'PATCH', 'DELETE'])
        await bodyOf(
          test.api.send(method, `${contextsOf(two.id)}${context.id}/`, method === 'PATCH' ? { name: 'x' } : undefined),
          404,
        );
    });
  });
});

describe('Workflow prompts and contexts of another organization', () => {
  it('are not found', async () => {
    const prompt = await makePrompt();
    const context = await makeContext(prompt.id);
    const { api } = await test.newOrganization();
    await makePrompt({}, api);
    await changesNothing(test, async () => {
      for (const where of [at(prompt.id), `${contextsOf(prompt.id)}${context.id}/`]) {
        await bodyOf(api.get(where), 404);
        await bodyOf(api.patch(where, {}), 404);
        await bodyOf(api.patch(where, { active: false }), 404);
        await bodyOf(api.delete(where), 404);
      }
      await bodyOf(api.get(contextsOf(prompt.id)), 404);
      await bodyOf(api.post(contextsOf(prompt.id), { name: 'x', content_type: 'text' }), 404);
    });
  });
});

describe('Workflow prompt activities', () => {
  it('record when prompts and contexts are created, changed and deleted', async () => {
    const title = unique('Told');
    const activities = await activitiesOf(test, async () => {
      const { id } = await makePrompt({ title });
      await bodyOf(test.api.patch(at(id), {}));
      await bodyOf(test.api.patch(at(id), { active: false }));
      const context = await makeContext(id, { name: 'Rules' });
      await bodyOf(test.api.patch(`${contextsOf(id)}${context.id}/`, { active: false }));
      await bodyOf(test.api.delete(`${contextsOf(id)}${context.id}/`), 204);
      await bodyOf(test.api.delete(at(id)), 204);
    });
    expect(activities.map((activity) => [activity.name, activity.data['context_desc']])).toEqual([
      ['CreatedWorkflowPromptActivity', undefined],
      ['UpdatedWorkflowPromptActivity', undefined],
      ['CreatedWorkflowPromptActivity', 'Rules'],
      ['UpdatedWorkflowPromptActivity', 'Rules'],
      ['DeletedWorkflowPromptActivity', 'Rules'],
      ['DeletedWorkflowPromptActivity', undefined],
    ]);
    for (const { icon, data } of activities)
      expect([icon, data]).toEqual([
        'chat',
        expect.objectContaining({ workflow_prompt: expect.any(Number), workflow_prompt_desc: title }),
      ]);
    expect(activities[2]?.text).toBe(`*Ada Admin* created a context of workflow prompt *${title}*`);
  });

  it('record each context that is deleted along with its prompt, before the prompt', async () => {
    const { id } = await makePrompt();
    const contexts = [await makeContext(id, { name: 'Rules' }), await makeContext(id, { name: 'Style' })];
    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(at(id)), 204));
    expect(activities.map(({ name, data }) => [name, data['context'], data['context_desc']])).toEqual([
      ['DeletedWorkflowPromptActivity', contexts[0]?.id, 'Rules'],
      ['DeletedWorkflowPromptActivity', contexts[1]?.id, 'Style'],
      ['DeletedWorkflowPromptActivity', undefined, undefined],
    ]);
  });

  it('record custom contexts that are deleted when a prompt is restored', async () => {
    const context = await makeContext(6, { name: 'Ours' });
    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(at(6)), 204));
    expect(activities.map(({ name, data }) => [name, data['context']])).toEqual([
      ['DeletedWorkflowPromptActivity', context.id],
      ['UpdatedWorkflowPromptActivity', undefined],
    ]);
  });

  it('contain the original title when a prompt is restored', async () => {
    const { title } = await bodyOf(test.api.get<Prompt>(at(6)));
    await bodyOf(test.api.patch(at(6), { title: unique('Ours'), active: false }));
    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(at(6)), 204));
    expect(activities.map(({ name, data }) => [name, data])).toEqual([
      ['UpdatedWorkflowPromptActivity', expect.objectContaining({ workflow_prompt: 6, workflow_prompt_desc: title })],
    ]);
  });
});
