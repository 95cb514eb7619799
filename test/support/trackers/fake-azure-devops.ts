import { z } from 'zod';

import type { ContractTracker } from '../tracker-contract.js';
import { documented, type FakeAnswer, type FakeRequest, startFakeServer } from './fake-server.ts';

/** A work item as learn.microsoft.com/rest/api/azure/devops/wit (version 7.0) describes it. */
interface WorkItem {
  readonly id: number;
  readonly type: string;
  fields: Record<string, unknown>;
}

const SHOP = { id: '6ce954b1-ce1f-45d1-b94d-e6bf2464ba2c', name: 'Web shop', state: 'wellFormed' };
const STATES = ['To Do', 'Done'];
const TYPES = ['Task', 'Bug'];
const TEAMS = ['Red', 'Blue'];
const TOKEN = 'hush-azure';
const PATCH = 'application/json-patch+json';
const QUERY =
  /^SELECT \[System\.Id\] FROM WorkItems WHERE \[System\.TeamProject\] = @project AND \[System\.Tags\] CONTAINS '([\w-]+)'(?: AND \[System\.ChangedDate\] >= '([\d:.TZ-]+)')? ORDER BY \[System\.ChangedDate\], \[System\.Id\]$/;

const values = z.strictObject({
  'System.Title': z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^\n\r]*$/),
  'System.Description': z.string(),
  'System.Tags': z.string(),
  'System.State': z.string(),
  'Microsoft.VSTS.Common.Priority': z.int(),
  'Custom.Team': z.enum(['Red', 'Blue']),
});
const patch = z
  .array(z.strictObject({ op: z.literal('add'), path: z.string().startsWith('/fields/'), value: z.unknown() }))
  .min(1)
  .transform((operations) =>
    Object.fromEntries(operations.map(({ path, value }) => [path.slice('/fields/'.length), value])),
  );

const ok = (body: unknown): FakeAnswer => ({ status: 200, body });
const list = (value: readonly object[]): FakeAnswer => ok({ count: value.length, value });
const shown = (item: WorkItem | undefined): object | undefined => item && { id: item.id, fields: item.fields };
const failure = (message: string, status = 400): FakeAnswer => ({
  status,
  body: { $id: '1', message, typeKey: 'RuleValidationException', errorCode: 0 },
});
const notFound = failure('TF401232: Work item does not exist, or you do not have permissions to read it.', 404);

/** An organization of Azure DevOps with the project Web shop, in which a Bug needs a team. */
export async function startFakeAzureDevOps(): Promise<ContractTracker> {
  const items = new Map<number, WorkItem>();
  let last = 300;

  const set = (item: WorkItem, body: unknown): FakeAnswer => {
    const changed = documented(values.partial(), documented(patch, body));
    const state = changed['System.State'];
    if (state !== undefined && !STATES.includes(state))
      return failure(`The field 'State' contains the value '${state}' that is not in the list of supported values`);
    const fields = { ...item.fields, ...changed };
    if (item.type === 'Bug' && fields['Custom.Team'] === undefined)
      return failure('TF401320: Rule Error for field Team. Error code: Required, HasValues, InvalidEmpty.');
    item.fields = { ...fields, 'System.ChangedDate': new Date().toISOString() };
    items.set(item.id, item);
    return ok(shown(item));
  };
  const create = (type: string, body: unknown): FakeAnswer => {
    if (!TYPES.includes(type)) return failure(`VS402323: Work item type ${type} does not exist`, 404);
    const fields = {
      'System.TeamProject': SHOP.name,
      'System.State': 'To Do',
      'Microsoft.VSTS.Common.Priority': 2,
    };
    return set({ id: (last += 1), type, fields }, body);
  };

  const inProject = ({ method, query, body, headers }: FakeRequest, segments: readonly string[]): FakeAnswer => {
    const [resource = '', name = '', below] = segments;
    if (resource === 'wiql' && method === 'POST' && query['timePrecision'] === 'true') {
      const { query: wiql } = documented(z.strictObject({ query: z.string() }), body);
      const [, tag, since] = QUERY.exec(wiql) ?? [];
      if (tag === undefined) return failure('TF51006: The query statement is missing a clause.');
      const found = [...items.values()]
        .filter(({ fields }) => fields['System.TeamProject'] === SHOP.name)
        .filter(({ fields }) =>
          String(fields['System.Tags'] ?? '')
            .split('; ')
            .includes(tag),
        )
        .filter(({ fields }) => since === undefined || String(fields['System.ChangedDate']) >= since)
        .toSorted((one, other) =>
          String(one.fields['System.ChangedDate']).localeCompare(String(other.fields['System.ChangedDate'])),
        );
      return ok({
        workItems: found
          .slice(0, Number(query['$top']))
          .map(({ id }) => ({ id, url: `https://dev.azure.example/_apis/wit/workItems/${id}` })),
      });
    }
    if (resource === 'workitems' && method === 'POST' && name.startsWith('$') && headers['content-type'] === PATCH)
      return create(name.slice(1), body);
    if (resource !== 'workitemtypes' || method !== 'GET') return notFound;
    if (name === '') return list(TYPES.map((type) => ({ name: type, referenceName: `Acme.${type}` })));
    if (below === 'states')
      return list(STATES.map((state) => ({ name: state, color: 'b2b2b2', category: 'Proposed' })));
    if (query['$expand'] !== 'allowedValues') return failure('Expected allowed values.');
    return list([
      { name: 'Title', referenceName: 'System.Title', alwaysRequired: true },
      { name: 'Area ID', referenceName: 'System.AreaId', alwaysRequired: true },
      {
        name: 'Priority',
        referenceName: 'Microsoft.VSTS.Common.Priority',
        alwaysRequired: false,
        allowedValues: ['1', '2', '3', '4'],
      },
      { name: 'Team', referenceName: 'Custom.Team', alwaysRequired: name === 'Bug', allowedValues: TEAMS },
    ]);
  };

  const answer = (request: FakeRequest): FakeAnswer => {
    const { method, segments, query, headers, body } = request;
    const expected = `Basic ${Buffer.from(`:${TOKEN}`).toString('base64')}`;
    if (headers.authorization !== expected)
      return { status: 203, body: '<html>Azure DevOps Services | Sign In</html>' };
    if (query['api-version'] !== '7.0') return failure('No api-version was supplied.');
    const [first, second, third, ...rest] = segments;
    if (first === SHOP.id && second === '_apis' && third === 'wit') return inProject(request, rest);
    if (first !== '_apis') return notFound;
    if (second === 'projects' && third === undefined) return list([SHOP]);
    if (second === 'projects' && rest.length === 0)
      return third === SHOP.name || third === SHOP.id ? ok(SHOP) : failure('TF200016: No such project.', 404);
    if (second !== 'wit') return notFound;
    if (third === 'workitemsbatch' && method === 'POST') {
      const shape = z.strictObject({
        ids: z.array(z.int()).min(1).max(200),
        fields: z.array(z.string()),
        errorPolicy: z.enum(['omit', 'fail']),
      });
      const { ids } = documented(shape, body);
      return ok({ count: ids.length, value: ids.map((id) => shown(items.get(id)) ?? null) });
    }
    const item = third === 'workitems' ? items.get(Number(rest[0])) : undefined;
    if (!item) return notFound;
    if (method === 'GET') return ok(shown(item));
    if (method !== 'PATCH' || headers['content-type'] !== PATCH) return failure('Unsupported media type.', 415);
    return set(item, body);
  };

  const server = await startFakeServer('', answer, 'azure-devops.yaml');
  return {
    system: 'azure_devops',
    access: { url: server.url, token: TOKEN },
    project: 'Web shop',
    type: 'Task',
    statuses: ['To Do', 'Done'],
    priorities: ['2', '1'],
    required: { type: 'Bug', field: 'Custom.Team', name: 'Team', values: TEAMS },
    remove: async ({ id }) => void items.delete(Number(id)),
    move: async ({ id }) => {
      items.get(Number(id))!.fields['System.TeamProject'] = 'Stock';
      return 'Stock';
    },
    createForeign: async (title) => void create('Task', [{ op: 'add', path: '/fields/System.Title', value: title }]),
    faults: server.faults,
    stop: () => server.stop(),
  };
}
