import { z } from 'zod';

import type { ContractTracker } from '../tracker-contract.js';
import { documented, type FakeAnswer, type FakeRequest, startFakeServer } from './fake-server.ts';

/** Issues of a repository, as docs.github.com/rest/issues (version 2022-11-28) describes them. */
interface Issue {
  readonly number: number;
  repository: Repository;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  state_reason: string | null;
  labels: readonly string[];
  updated: number;
  isPullRequest: boolean;
}

interface Repository {
  readonly id: number;
  readonly full_name: string;
  readonly issues: Map<number, Issue | 'deleted' | { readonly movedTo: string }>;
}

const TOKEN = 'hush-github';

const creation = z.strictObject({
  title: z.string().min(1).max(256),
  body: z.string().max(65_536).optional(),
  labels: z.array(z.string().min(1).max(50)).optional(),
});
const change = z.strictObject({
  title: z.string().min(1).max(256).optional(),
  body: z.string().max(65_536).optional(),
  state: z.enum(['open', 'closed']).optional(),
  state_reason: z.enum(['completed', 'not_planned', 'duplicate', 'reopened']).optional(),
});
const listing = z.strictObject({
  state: z.enum(['open', 'closed', 'all']).default('open'),
  labels: z.string().optional(),
  since: z.iso.datetime().optional(),
  sort: z.enum(['created', 'updated', 'comments']).default('created'),
  direction: z.enum(['asc', 'desc']).default('desc'),
  per_page: z.coerce.number().int().min(1).max(100).default(30),
  page: z.coerce.number().int().min(1).default(1),
});

const notFound: FakeAnswer = { status: 404, body: { message: 'Not Found' } };
/** A user, with the members that are described as always present. */
export const GITHUB_USER = {
  login: 'ada',
  id: 1,
  node_id: 'U_1',
  name: null,
  url: 'https://github.example/api/v3/users/ada',
  html_url: 'https://github.example/ada',
  updated_at: '2026-11-29T08:00:00Z',
};

/** The members of a repository that are described as always present. */
export const githubRepository = (id: number, fullName: string, further: object): object => ({
  id,
  node_id: `R_${id}`,
  name: fullName.split('/')[1],
  full_name: fullName,
  url: `https://github.example/api/v3/repos/${fullName}`,
  html_url: `https://github.example/${fullName}`,
  has_issues: true,
  updated_at: '2026-11-29T08:00:00Z',
  ...further,
});

const seconds = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

/** A GitHub Enterprise Server with the repositories `acme/shop` and `acme/stock`. */
export async function startFakeGitHub(): Promise<ContractTracker> {
  const shop: Repository = { id: 7, full_name: 'acme/shop', issues: new Map() };
  const stock: Repository = { id: 9, full_name: 'acme/stock', issues: new Map() };

  const create = (repository: Repository, values: z.output<typeof creation>, isPullRequest = false): Issue => {
    const issue: Issue = {
      number: repository.issues.size + 1,
      repository,
      title: values.title,
      body: values.body ?? null,
      state: 'open',
      state_reason: null,
      labels: values.labels ?? [],
      updated: Date.now(),
      isPullRequest,
    };
    repository.issues.set(issue.number, issue);
    return issue;
  };

  const answer = (request: FakeRequest, root: string): FakeAnswer => {
    const { method, segments, headers } = request;
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { message: 'Bad credentials' } };
    if (headers['x-github-api-version'] !== '2022-11-28' || !headers['user-agent'])
      return { status: 403, body: { message: 'Request forbidden by administrative rules.' } };
    const shown = (issue: Issue): object => ({
      id: issue.repository.id * 1000 + issue.number,
      url: `${root}/repos/${issue.repository.full_name}/issues/${issue.number}`,
      number: issue.number,
      node_id: `I_${issue.repository.id}_${issue.number}`,
      title: issue.title,
      body: issue.body,
      state: issue.state,
      state_reason: issue.state_reason,
      labels: issue.labels.map((name, id) => ({ id, name, color: 'ededed' })),
      html_url: `${root.replace('/api/v3', '')}/${issue.repository.full_name}/issues/${issue.number}`,
      repository_url: `${root}/repos/${issue.repository.full_name}`,
      updated_at: seconds(issue.updated),
      ...(issue.isPullRequest && { pull_request: { url: null, html_url: null } }),
    });
    if (segments.join('/') === 'user') return { status: 200, body: GITHUB_USER };
    const [collection = '', ...parts] = segments;
    const name = collection === 'repos' ? parts.splice(0, 2).join('/') : parts.shift();
    const repository = [shop, stock].find(({ id, full_name: fullName }) =>
      collection === 'repos' ? fullName === name : collection === 'repositories' && String(id) === name,
    );
    if (!repository || (parts.length > 0 && parts[0] !== 'issues')) return notFound;
    if (parts.length === 0)
      return {
        status: 200,
        body: githubRepository(repository.id, repository.full_name, { permissions: { push: true } }),
      };
    if (parts.length === 1 && method === 'POST')
      return { status: 201, body: shown(create(repository, documented(creation, request.body))) };
    if (parts.length === 1) {
      const asked = documented(listing, request.query);
      const wanted = asked.labels?.split(',') ?? [];
      const field = asked.sort === 'updated' ? 'updated' : 'number';
      const all = [...repository.issues.values()]
        .filter((one) => typeof one === 'object' && 'labels' in one)
        .filter(({ state }) => asked.state === 'all' || asked.state === state)
        .filter(({ labels }) => wanted.every((label) => labels.includes(label)))
        .filter(({ updated }) => asked.since === undefined || updated >= Date.parse(asked.since))
        .toSorted((one, other) => one[field] - other[field]);
      const sorted = asked.direction === 'asc' ? all : all.toReversed();
      const start = (asked.page - 1) * asked.per_page;
      return { status: 200, body: sorted.slice(start, start + asked.per_page).map(shown) };
    }
    const issue = repository.issues.get(Number(parts[1]));
    if (issue === 'deleted') return { status: 410, body: { message: 'This issue was deleted' } };
    if (!issue) return notFound;
    if ('movedTo' in issue)
      return { status: 301, body: { message: 'Moved Permanently' }, headers: { Location: `${root}${issue.movedTo}` } };
    if (method === 'PATCH') {
      const { state, state_reason: reason, ...rest } = documented(change, request.body);
      Object.assign(issue, rest, { updated: Date.now() });
      if (state) Object.assign(issue, { state, state_reason: state === 'open' ? 'reopened' : (reason ?? 'completed') });
    }
    return { status: 200, body: shown(issue) };
  };

  const server = await startFakeServer('/api/v3', answer, 'github.json');
  const numberOf = (id: string): number => Number(id.split('/')[1]);
  create(shop, { title: 'A pull request', labels: ['merlon'] }, true);
  return {
    system: 'github',
    access: { url: server.url, token: TOKEN },
    project: 'acme/shop',
    type: undefined,
    statuses: ['open', 'closed'],
    remove: async ({ id }) => void shop.issues.set(numberOf(id), 'deleted'),
    move: async ({ id, title, labels }) => {
      const { number } = create(stock, { title, labels: [...labels] });
      shop.issues.set(numberOf(id), { movedTo: `/repositories/${stock.id}/issues/${number}` });
      return stock.full_name;
    },
    createForeign: async (title) => void create(shop, { title }),
    faults: server.faults,
    requests: server.requests,
    stop: () => server.stop(),
  };
}
