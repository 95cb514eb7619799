import { bodyOf, type ApiClient } from '../support/client.js';
import {
  builtIns,
  countermeasureBody,
  makeAttribute,
  makeComponent,
  makeCountermeasure,
  makeThreat,
  makeWeakness,
  unique,
} from '../support/factories.js';
import { makeUpgrade } from '../support/library-upgrades.js';
import { makeEmptyProject } from '../support/project-content.js';
import { PLACE } from './within-project.js';
import { expectingActivities, type ExpectedActivity, type Writing } from './writing.js';

const countermeasure = expectingActivities('check', 'user', 'standard');
const weakness = expectingActivities('bug', 'user', 'weakness');
const amendment = expectingActivities('add', 'user', 'standard', 'amendment');
const howTo = expectingActivities('add', 'user', 'standard', 'how_to');
const component = expectingActivities('hub', 'user', 'component');
const attribute = expectingActivities('label', 'user', 'attribute');
const reasonOf = expectingActivities('label', 'user', ...PLACE, 'attribute', 'reason');
const userActivity = expectingActivities('create', 'user', ...PLACE);
const threat = expectingActivities('warning', 'user', 'threat');
const phase = expectingActivities('timeline', 'user', 'phase');
const ruleMapping = expectingActivities('rule', 'user', 'rule_mapping');
const prompt = expectingActivities('chat', 'user', 'workflow_prompt');

interface Item {
  readonly id: string | number;
}

/** The three writing operations of a kind whose items can be deactivated. */
function switchable(options: {
  readonly path: string;
  readonly noun: string;
  readonly activity: (name: string) => ExpectedActivity;
  readonly body: () => object;
  readonly make: (api: ApiClient) => Promise<Item>;
  /** A change of a field other than `active`. */
  readonly change: object;
  readonly off?: object;
}): Writing[] {
  const { path, noun, activity, body, make, change, off = { active: false } } = options;
  const patch =
    (fields: object): Writing['prepare'] =>
    async ({ api }) => {
      const { id } = await make(api);
      return () => api.patch(`${path}${id}/`, fields);
    };
  const operation = `PATCH ${path}{id}/`;
  const [updated, deactivated] = [activity(`Updated${noun}Activity`), activity(`Deactivated${noun}Activity`)];
  return [
    {
      operation: `POST ${path}`,
      activities: [activity(`Created${noun}Activity`)],
      prepare:
        async ({ api }) =>
        () =>
          api.post(path, body()),
    },
    { operation, activities: [updated], prepare: patch(change) },
    { operation, when: 'deactivating the item', activities: [deactivated], prepare: patch(off) },
    {
      operation,
      when: 'activating the item',
      activities: [activity(`Activated${noun}Activity`)],
      prepare: async ({ api }) => {
        const { id } = await make(api);
        await bodyOf(api.patch(`${path}${id}/`, off));
        const on = Object.fromEntries(Object.entries(off).map(([field, value]) => [field, !value]));
        return () => api.patch(`${path}${id}/`, on);
      },
    },
    {
      operation,
      when: 'changing and deactivating the item',
      activities: [updated, deactivated],
      prepare: patch({ ...change, ...off }),
    },
    {
      operation: `DELETE ${path}{id}/`,
      activities: [activity(`Deleted${noun}Activity`)],
      prepare: async ({ api }) => {
        const { id } = await make(api);
        return () => api.delete(`${path}${id}/`);
      },
    },
  ];
}

const titled = (): { title: string; text: string } => ({ title: unique(), text: 'x' });

/** Writing operations of the parts of a countermeasure, whose paths contain its id. */
function parts(path: string, noun: string, activity: (name: string) => ExpectedActivity): Writing[] {
  const below = '/library/tasks/{task}/';
  return switchable({
    path: `/library/tasks/T9/${path}/`,
    noun,
    activity,
    body: titled,
    make: (api) => bodyOf(api.post<Item>(`/library/tasks/T9/${path}/`, titled())),
    change: { text: 'y' },
  }).map((writing) => ({ ...writing, operation: writing.operation.replace('/library/tasks/T9/', below) }));
}

/** DELETE of built-in items that the organization has customized or deactivated, which resets them. */
function givenBack(options: {
  readonly path: string;
  readonly noun: string;
  readonly activity: (name: string) => ExpectedActivity;
  /** A change of a field other than `active`. */
  readonly change: object;
  readonly off?: object;
  /** Selects the items, if tests need the others unchanged. */
  readonly query?: Record<string, string>;
}): Writing[] {
  const { path, noun, activity, change, off = { active: false }, query } = options;
  const nextBuiltIn = builtIns<{ readonly id: string; readonly type: string }>(path, query);
  const operation = `DELETE ${path}{id}/`;
  const [updated, activated] = [activity(`Updated${noun}Activity`), activity(`Activated${noun}Activity`)];
  const prepare =
    (fields: object): Writing['prepare'] =>
    async ({ api }) => {
      const { id } = await nextBuiltIn(api);
      await bodyOf(api.patch(`${path}${id}/`, fields));
      return () => api.delete(`${path}${id}/`);
    };
  return [
    { operation, when: 'resetting a customized item', activities: [updated], prepare: prepare(change) },
    { operation, when: 'resetting a deactivated built-in item', activities: [activated], prepare: prepare(off) },
    {
      operation,
      when: 'resetting a customized and deactivated item',
      activities: [updated, activated],
      prepare: prepare({ ...change, ...off }),
    },
  ];
}

/** The same for built-in parts of a countermeasure. */
const partsGivenBack = (
  whole: string,
  path: string,
  noun: string,
  activity: (name: string) => ExpectedActivity,
): Writing[] =>
  givenBack({ path: `/library/tasks/${whole}/${path}/`, noun, activity, change: { text: 'y' } }).map((writing) => ({
    ...writing,
    operation: writing.operation.replace(whole, '{task}'),
  }));

const makePrompt = (api: ApiClient): Promise<Item> =>
  bodyOf(api.post<Item>('/library/workflow-prompts/', { title: unique(), type: 'survey', prompt: 'x' }), 201);

const RULE_MAPPING = { system: 'scan', rule_pattern: 'no-*', cwe: 79 };

const makeRuleMapping = (api: ApiClient): Promise<Item> =>
  bodyOf(api.post<Item>('/library/rule-mappings/', RULE_MAPPING), 201);

/** A prompt with a context, and the path of its contexts. */
async function makeContext(api: ApiClient): Promise<{ path: string; id: string | number }> {
  const path = `/library/workflow-prompts/${(await makePrompt(api)).id}/contexts/`;
  return { path, id: (await bodyOf(api.post<Item>(path, { name: 'x', content_type: 'text' }), 201)).id };
}

const CONTEXTS = '/library/workflow-prompts/{prompt}/contexts/';

/** A writing operation on an item that `make` creates. */
const onItem = (
  operation: string,
  activities: readonly ExpectedActivity[],
  make: (api: ApiClient) => Promise<Item>,
  body?: object,
): Writing => ({
  operation,
  activities,
  prepare: async ({ api }) => {
    const { id } = await make(api);
    const [method = '', path = ''] = operation.split(' ');
    return () => api.send(method, path.replace('{id}', String(id)), body);
  },
});

const deciding = (resolution: 'take' | 'keep'): Writing => ({
  operation: 'PATCH /library/upgrades/{id}/',
  when: `resolution: ${resolution}`,
  activities: [countermeasure('UpdatedStandardActivity')],
  prepare: async (test) => {
    const id = await makeUpgrade(test);
    return () => test.api.patch(`/library/upgrades/${id}/`, { resolution });
  },
});

export const LIBRARY_WRITINGS: readonly Writing[] = [
  deciding('take'),
  deciding('keep'),
  ...switchable({
    path: '/library/tasks/',
    noun: 'Standard',
    activity: countermeasure,
    body: countermeasureBody,
    make: makeCountermeasure,
    change: { priority: 2 },
  }),
  {
    operation: 'PATCH /library/tasks/{id}/',
    when: 'changing a built-in item',
    activities: [countermeasure('UpdatedStandardActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.patch('/library/tasks/T11/', { priority: 1 }),
  },
  ...givenBack({ path: '/library/tasks/', noun: 'Standard', activity: countermeasure, change: { priority: 1 } }),
  {
    operation: 'POST /library/preview/',
    activities: [],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/library/preview/', { text: '**new**' }),
  },
  {
    operation: 'POST /library/tasks/{id}/impact/',
    activities: [],
    prepare: async (test) => {
      const { id } = await makeCountermeasure(test.api);
      return () => test.api.post(`/library/tasks/${id}/impact/`, { match_conditions: [{ required: ['A4'] }] });
    },
  },
  {
    operation: 'DELETE /library/tasks/{id}/',
    when: 'in a component',
    activities: [component('UpdatedReusableComponentActivity'), countermeasure('DeletedStandardActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeCountermeasure(api);
      await makeComponent(api, { tasks_implemented: [id] });
      return () => api.delete(`/library/tasks/${id}/`);
    },
  },
  {
    operation: 'DELETE /library/tasks/{id}/',
    when: 'with additional requirements and how-tos',
    activities: [
      amendment('DeletedAmendmentActivity'),
      howTo('DeletedHowToActivity'),
      countermeasure('DeletedStandardActivity'),
    ],
    prepare: async ({ api }) => {
      const { id } = await makeCountermeasure(api);
      await bodyOf(api.post(`/library/tasks/${id}/amendments/`, titled()));
      await bodyOf(api.post(`/library/tasks/${id}/implementations/`, titled()));
      return () => api.delete(`/library/tasks/${id}/`);
    },
  },
  ...parts('amendments', 'Amendment', amendment),
  ...parts('implementations', 'HowTo', howTo),
  ...partsGivenBack('T99', 'amendments', 'Amendment', amendment),
  ...partsGivenBack('T26', 'implementations', 'HowTo', howTo),
  {
    operation: 'PATCH /library/tasks/{task}/amendments/order/',
    activities: [amendment('UpdatedAmendmentActivity'), amendment('UpdatedAmendmentActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeCountermeasure(api);
      const path = `/library/tasks/${id}/amendments/`;
      const first = await bodyOf(api.post<Item>(path, titled()));
      const second = await bodyOf(api.post<Item>(path, titled()));
      return () => api.patch(`${path}order/`, { order: ['SP', second.id, first.id] });
    },
  },
  ...switchable({
    path: '/library/problems/',
    noun: 'Weakness',
    activity: weakness,
    body: () => ({ ...titled(), risk_rating: 5 }),
    make: makeWeakness,
    change: { risk_rating: 2 },
  }),
  // Deactivating a weakness deactivates its countermeasures, too.
  ...givenBack({
    path: '/library/problems/',
    noun: 'Weakness',
    activity: weakness,
    change: { risk_rating: 1 },
    query: { ordering: '-id' },
  }),
  {
    operation: 'PATCH /library/problems/{id}/',
    when: 'deactivating a weakness with countermeasures',
    activities: [
      weakness('DeactivatedWeaknessActivity'),
      countermeasure('DeactivatedStandardActivity'),
      countermeasure('DeactivatedStandardActivity'),
    ],
    prepare: async ({ api }) => {
      const { id } = await makeWeakness(api);
      await makeCountermeasure(api, { problem: id });
      await makeCountermeasure(api, { problem: id });
      return () => api.patch(`/library/problems/${id}/`, { active: false });
    },
  },
  onItem('PATCH /library/problem/{id}/', [weakness('UpdatedWeaknessActivity')], makeWeakness, { risk_rating: 2 }),
  onItem('DELETE /library/problem/{id}/', [weakness('DeletedWeaknessActivity')], makeWeakness),
  onItem('DELETE /problem/{id}/', [weakness('DeletedWeaknessActivity')], makeWeakness),
  ...switchable({
    path: '/library/components/',
    noun: 'ReusableComponent',
    activity: component,
    body: () => ({ title: unique() }),
    make: (api) => makeComponent(api, { hidden: false }),
    change: { description: 'x' },
    off: { hidden: true },
  }),
  ...givenBack({
    path: '/library/components/',
    noun: 'ReusableComponent',
    activity: component,
    change: { description: 'x' },
    off: { hidden: true },
  }),
  ...switchable({
    path: '/library/attributes/',
    noun: 'Attribute',
    activity: attribute,
    body: () => ({ name: unique() }),
    make: makeAttribute,
    change: { description: 'x' },
  }),
  {
    operation: 'DELETE /library/attributes/{id}/',
    when: 'in projects to which users added it',
    activities: [
      reasonOf('DeletedProjectAttributeSourceActivity'),
      reasonOf('DeletedProjectAttributeSourceActivity'),
      userActivity('UpdatedProjectActivity'),
      userActivity('UpdatedProjectActivity'),
      attribute('DeletedAttributeActivity'),
    ],
    prepare: async (test) => {
      const { id } = await makeAttribute(test.api);
      for (const reason of ['It is so.', 'It was so.']) {
        const project = await makeEmptyProject(test);
        const body = { attributes: [{ id, reason }] };
        await bodyOf(test.api.post(`/projects/${project.id}/attributes/bulk/`, body));
      }
      return () => test.api.delete(`/library/attributes/${id}/?force=true`);
    },
  },
  {
    operation: 'PATCH /library/attributes/{id}/',
    when: 'deactivating a built-in attribute',
    activities: [attribute('DeactivatedAttributeActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.patch('/library/attributes/AT1/', { active: false }),
  },
  ...switchable({
    path: '/library/threats/',
    noun: 'Threat',
    activity: threat,
    body: () => ({ ...titled(), severity: 5 }),
    make: makeThreat,
    change: { severity: 2 },
  }),
  ...givenBack({ path: '/library/threats/', noun: 'Threat', activity: threat, change: { severity: 1 } }),
  ...switchable({
    path: '/phases/',
    noun: 'Phase',
    activity: phase,
    body: () => ({ name: unique() }),
    make: (api) => bodyOf(api.post<Item>('/phases/', { name: unique() }), 201),
    change: { tip: 'x' },
  }),
  {
    operation: 'POST /library/rule-mappings/',
    activities: [ruleMapping('CreatedRuleMappingActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/library/rule-mappings/', RULE_MAPPING),
  },
  onItem('PATCH /library/rule-mappings/{id}/', [ruleMapping('UpdatedRuleMappingActivity')], makeRuleMapping, {
    weakness: 'P1',
  }),
  onItem('DELETE /library/rule-mappings/{id}/', [ruleMapping('DeletedRuleMappingActivity')], makeRuleMapping),
  {
    operation: 'POST /library/workflow-prompts/',
    activities: [prompt('CreatedWorkflowPromptActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/library/workflow-prompts/', { title: unique(), type: 'survey', prompt: 'x' }),
  },
  onItem('PATCH /library/workflow-prompts/{id}/', [prompt('UpdatedWorkflowPromptActivity')], makePrompt, {
    prompt: 'y',
  }),
  onItem('DELETE /library/workflow-prompts/{id}/', [prompt('DeletedWorkflowPromptActivity')], makePrompt),
  {
    operation: `POST ${CONTEXTS}`,
    activities: [prompt('CreatedWorkflowPromptActivity', 'context')],
    prepare: async ({ api }) => {
      const { path } = await makeContext(api);
      return () => api.post(path, { name: 'y', content_type: 'text' });
    },
  },
  {
    operation: `PATCH ${CONTEXTS}{id}/`,
    activities: [prompt('UpdatedWorkflowPromptActivity', 'context')],
    prepare: async ({ api }) => {
      const { path, id } = await makeContext(api);
      return () => api.patch(`${path}${id}/`, { name: 'y' });
    },
  },
  {
    operation: `DELETE ${CONTEXTS}{id}/`,
    activities: [prompt('DeletedWorkflowPromptActivity', 'context')],
    prepare: async ({ api }) => {
      const { path, id } = await makeContext(api);
      return () => api.delete(`${path}${id}/`);
    },
  },
];
