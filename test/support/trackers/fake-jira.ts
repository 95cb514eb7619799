import { z } from 'zod';

import type { ContractTracker } from '../tracker-contract.js';
import { documented, type FakeAnswer, type FakeRequest, startFakeServer } from './fake-server.ts';

/**
 * An issue as developer.atlassian.com describes it: /cloud/jira/platform/rest/v3 and /server/jira/platform/rest (version
 * 2).
 */
interface Issue {
  readonly id: string;
  key: string;
  project: typeof SHOP;
  type: string;
  status: string;
  created: number;
  updated: number;
  fields: { summary: string; description: unknown; labels: readonly string[]; priority: { name: string } };
}

const SHOP = { id: '10000', key: 'SHOP' };
const STOCK = { id: '10001', key: 'STOCK' };
const TYPES = [
  { id: '1', name: 'Task' },
  { id: '2', name: 'Bug' },
];
const PRIORITIES = ['Highest', 'Low'];
const TRANSITIONS: Readonly<Record<string, readonly string[]>> = {
  'To Do': ['In Progress', 'Done'],
  'In Progress': ['Done'],
  Done: ['To Do'],
};
const TOKEN = 'hush-jira';
const EMAIL = 'ada@example.com';

/** The index of Jira Cloud lags behind. */
const LAG_MILLISECONDS = 40;

/** The node types that Jira Cloud accepts at the top of a document. */
const adf = z.strictObject({
  type: z.literal('doc'),
  version: z.literal(1),
  content: z.array(
    z.looseObject({
      type: z.enum(['paragraph', 'heading', 'bulletList', 'orderedList', 'codeBlock', 'blockquote', 'rule']),
    }),
  ),
});
const summary = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\n\r]*$/);
const label = z.string().regex(/^\S{1,255}$/);
const priority = z.strictObject({ name: z.string() });
const searching = {
  jql: z.string(),
  fields: z.array(z.string()),
  maxResults: z.int().min(1).max(5000),
};

const failure = (errors: object, status = 400): FakeAnswer => ({ status, body: { errorMessages: [], errors } });
const notFound: FakeAnswer = {
  status: 404,
  body: { errorMessages: ['Issue does not exist or you do not have permission to see it.'], errors: {} },
};
const moment = (time: number): string => new Date(time).toISOString().replace('Z', '+0000');

/** A Jira with the projects SHOP and STOCK. A Bug needs a team. */
export async function startFakeJira(isCloud: boolean): Promise<ContractTracker> {
  const issues = new Map<string, Issue>();
  let last = 20_000;
  const description = isCloud ? adf : z.string().max(32_767);
  /** What is described as always present; Cloud repeats the id of a field as its key. */
  const field = (fieldId: string, values: object): object => ({
    fieldId,
    operations: ['set'],
    hasDefaultValue: false,
    ...(isCloud && { key: fieldId }),
    ...values,
  });
  const resolution = {
    name: 'Resolution',
    required: true,
    operations: ['set'],
    schema: { type: 'resolution', system: 'resolution' },
    ...(isCloud && { key: 'resolution' }),
  };
  const fieldsOf = (type: string) => [
    field('summary', { name: 'Summary', required: true, schema: { type: 'string', system: 'summary' } }),
    field('reporter', { name: 'Reporter', required: true, schema: { type: 'user', system: 'reporter' } }),
    field('priority', {
      name: 'Priority',
      required: true,
      hasDefaultValue: true,
      schema: { type: 'priority', system: 'priority' },
      allowedValues: PRIORITIES.map((name) => ({ name })),
    }),
    field('customfield_10050', {
      name: 'Team',
      required: type === 'Bug',
      schema: { type: 'option', custom: 'select', customId: 10_050 },
      allowedValues: ['Red', 'Blue'].map((value) => ({ value })),
    }),
  ];
  const creation = z.strictObject({
    fields: z.strictObject({
      project: z.strictObject({ id: z.string() }),
      issuetype: z.strictObject({ name: z.string() }),
      summary,
      description,
      labels: z.array(label),
      priority: priority.optional(),
      customfield_10050: z.strictObject({ value: z.enum(['Red', 'Blue']) }).optional(),
    }),
  });
  const change = z.strictObject({
    fields: z.strictObject({ summary, description, priority }).partial(),
  });
  const search = isCloud
    ? z.strictObject({ ...searching, nextPageToken: z.string().optional(), reconcileIssues: z.array(z.int()).max(50) })
    : z.strictObject({ ...searching, startAt: z.int().optional() });

  const add = (project: typeof SHOP, type: string, fields: Partial<Issue['fields']>): Issue => {
    last += 1;
    const issue: Issue = {
      id: String(last),
      key: `${project.key}-${last - 20_000}`,
      project,
      type,
      status: 'To Do',
      created: Date.now(),
      updated: Date.now(),
      fields: { summary: '', description: null, labels: [], priority: { name: 'Low' }, ...fields },
    };
    issues.set(issue.id, issue);
    return issue;
  };
  const shown = ({ id, key, project, status, updated, fields }: Issue): object => ({
    id,
    key,
    fields: { ...fields, project, status: { name: status }, updated: moment(updated) },
  });

  /** Understands exactly the queries that the adapter documents. */
  const find = (body: unknown): FakeAnswer => {
    const asked = documented<Record<string, unknown>>(search, body);
    const parts =
      /^project = (\d+) AND labels = "([\w-]+)"(?: AND updated >= "(\d{4}-\d\d-\d\d \d\d:\d\d)" ORDER BY updated ASC, key ASC)?$/.exec(
        String(asked['jql']),
      );
    if (!parts) return failure({ jql: 'Error in the JQL Query.' });
    const [, projectId, wanted, since] = parts;
    const reconciled = (asked['reconcileIssues'] ?? []) as readonly number[];
    const found = [...issues.values()]
      .filter(({ project, fields }) => project.id === projectId && fields.labels.includes(wanted ?? ''))
      // The account's time zone is UTC+9.
      .filter(({ updated }) => since === undefined || updated >= Date.parse(`${since.replace(' ', 'T')}:00+09:00`))
      .filter(
        ({ id, created }) => !isCloud || Date.now() - created > LAG_MILLISECONDS || reconciled.includes(Number(id)),
      )
      .toSorted((one, other) => one.updated - other.updated || Number(one.id) - Number(other.id));
    const start = Number(asked['startAt'] ?? asked['nextPageToken'] ?? 0);
    const maxResults = Number(asked['maxResults']);
    const page = found.slice(start, start + maxResults).map(shown);
    if (!isCloud) return { status: 200, body: { startAt: start, maxResults, total: found.length, issues: page } };
    const end = start + maxResults;
    const rest = end < found.length ? { isLast: false, nextPageToken: String(end) } : { isLast: true };
    return { status: 200, body: { issues: page, ...rest } };
  };

  const create = (body: unknown): FakeAnswer => {
    const { project, issuetype, ...fields } = documented(creation, body).fields;
    if (!TYPES.some(({ name }) => name === issuetype.name)) return failure({ issuetype: 'Specify a valid issue type' });
    if (issuetype.name === 'Bug' && !fields.customfield_10050)
      return failure({ customfield_10050: 'Team is required.' });
    if (fields.priority && !PRIORITIES.includes(fields.priority.name))
      return failure({ priority: 'The priority selected is invalid.' });
    const home = project.id === SHOP.id ? SHOP : STOCK;
    const { id, key } = add(home, issuetype.name, { ...fields, priority: fields.priority ?? { name: 'Low' } });
    return { status: 201, body: { id, key, self: `https://jira.example/rest/api/3/issue/${id}` } };
  };

  const transit = ({ method, query, body }: FakeRequest, issue: Issue): FakeAnswer => {
    const targets = TRANSITIONS[issue.status] ?? [];
    if (method === 'GET')
      return {
        status: 200,
        body: {
          transitions: targets.map((name, index) => ({
            id: String(index + 11),
            name: `Go to ${name}`,
            to: { name },
            ...(query['expand'] === 'transitions.fields' && {
              fields: name === 'In Progress' ? { resolution } : {},
            }),
          })),
        },
      };
    const { transition } = documented(z.strictObject({ transition: z.strictObject({ id: z.string() }) }), body);
    const target = targets[Number(transition.id) - 11];
    if (target === undefined) return failure({ transition: 'It is not valid.' });
    Object.assign(issue, { status: target, updated: Date.now() });
    return { status: 204 };
  };

  const answer = (request: FakeRequest): FakeAnswer => {
    const { method, segments, headers, body } = request;
    const basic = `Basic ${Buffer.from(`${EMAIL}:${TOKEN}`).toString('base64')}`;
    if (headers.authorization !== (isCloud ? basic : `Bearer ${TOKEN}`))
      return { status: 401, body: 'Client must be authenticated to access this resource.' };
    const [collection, id, below, , typeId] = segments;
    if (method === 'POST' && segments.join('/') === (isCloud ? 'search/jql' : 'search')) return find(body);
    if (collection === 'search')
      return { status: 410, body: { errorMessages: ['The requested API has been removed.'] } };
    if (collection === 'myself')
      return { status: 200, body: { [isCloud ? 'accountId' : 'name']: 'ada', timeZone: 'Asia/Tokyo' } };
    if (collection === 'project') {
      const project = [SHOP, STOCK].find((one) => one.id === id || one.key === id);
      if (!project) return notFound;
      const statuses = Object.keys(TRANSITIONS).map((name, index) => ({ id: String(index + 1), name }));
      return { status: 200, body: below === 'statuses' ? TYPES.map((type) => ({ ...type, statuses })) : project };
    }
    if (collection !== 'issue') return notFound;
    if (id === undefined) return create(body);
    if (id === 'createmeta') {
      const page = { startAt: 0, maxResults: 200 };
      if (typeId === undefined)
        return { status: 200, body: { ...page, total: TYPES.length, [isCloud ? 'issueTypes' : 'values']: TYPES } };
      const fields = fieldsOf(TYPES.find((type) => type.id === typeId)?.name ?? '');
      return { status: 200, body: { ...page, total: fields.length, [isCloud ? 'fields' : 'values']: fields } };
    }
    const issue = issues.get(id);
    if (!issue) return notFound;
    if (below === 'transitions') return transit(request, issue);
    if (method === 'GET') return { status: 200, body: shown(issue) };
    const { fields } = documented(change, body);
    if (fields.priority && !PRIORITIES.includes(fields.priority.name))
      return failure({ priority: 'The priority selected is invalid.' });
    Object.assign(issue.fields, fields);
    issue.updated = Date.now();
    return { status: 204 };
  };

  const server = await startFakeServer(
    `/rest/api/${isCloud ? 3 : 2}`,
    answer,
    isCloud ? 'jira-cloud.yaml' : 'jira-data-center.yaml',
  );
  return {
    system: 'jira',
    access: { url: server.url, token: TOKEN, ...(isCloud && { email: EMAIL }) },
    project: 'SHOP',
    type: 'Task',
    statuses: ['To Do', 'Done'],
    priorities: ['Low', 'Highest'],
    required: { type: 'Bug', field: 'customfield_10050', name: 'Team', values: ['Red', 'Blue'] },
    statusNeedingField: { status: 'In Progress', field: 'Resolution' },
    remove: async ({ id }) => void issues.delete(id),
    move: async ({ id }) => {
      Object.assign(issues.get(id)!, { project: STOCK, key: 'STOCK-1' });
      return STOCK.key;
    },
    createForeign: async (title) => void add(SHOP, 'Task', { summary: title }),
    faults: server.faults,
    requests: server.requests,
    stop: () => server.stop(),
  };
}
