import { z } from 'zod';

import type { ContractTracker } from '../tracker-contract.js';
import { documented, type FakeAnswer, type FakeRequest, startFakeServer } from './fake-server.ts';

/** An issue as docs.gitlab.com/api/issues describes it. */
interface Issue {
  readonly id: number;
  readonly iid: number;
  readonly project: Project;
  title: string;
  description: string;
  state: 'opened' | 'closed';
  labels: readonly string[];
  updated: number;
  movedTo: number | null;
}

interface Project {
  readonly id: number;
  readonly path: string;
  readonly issues: Map<number, Issue>;
}

const TOKEN = 'hush-gitlab';

const creation = z.strictObject({
  title: z.string().min(1).max(255),
  description: z.string().max(1_048_576).optional(),
  labels: z.string().optional(),
  issue_type: z.enum(['issue', 'incident', 'test_case', 'task']).optional(),
});
const change = z.strictObject({
  title: z.string().min(1).max(255).optional(),
  description: z.string().max(1_048_576).optional(),
  state_event: z.enum(['close', 'reopen']).optional(),
});
const listing = z.strictObject({
  labels: z.string().optional(),
  scope: z.enum(['created_by_me', 'assigned_to_me', 'all']).optional(),
  updated_after: z.iso.datetime().optional(),
  order_by: z.enum(['created_at', 'updated_at']).default('created_at'),
  sort: z.enum(['asc', 'desc']).default('desc'),
  per_page: z.coerce.number().int().min(1).max(100).default(20),
  page: z.coerce.number().int().min(1).default(1),
});

const notFound: FakeAnswer = { status: 404, body: { message: '404 Not found' } };

/** What GitLab does with the lines of a description that are quick actions. */
const quickActions = (issue: Issue): void => {
  if (/^\/close\b/m.test(issue.description)) issue.state = 'closed';
  issue.description = issue.description.replaceAll(/^\/\w+.*$/gm, '');
};

/** A GitLab with the projects `acme/shop` and `acme/stock`. */
export async function startFakeGitLab(): Promise<ContractTracker> {
  const shop: Project = { id: 7, path: 'acme/shop', issues: new Map() };
  const stock: Project = { id: 9, path: 'acme/stock', issues: new Map() };
  const projects = [shop, stock];
  let last = 4000;

  const create = (project: Project, values: z.output<typeof creation>): Issue => {
    const issue: Issue = {
      id: (last += 1),
      iid: project.issues.size + 1,
      project,
      title: values.title,
      description: values.description ?? '',
      state: 'opened',
      labels: values.labels?.split(',') ?? [],
      updated: Date.now(),
      movedTo: null,
    };
    quickActions(issue);
    project.issues.set(issue.iid, issue);
    return issue;
  };

  const answer = ({ method, segments, query, headers, body }: FakeRequest, root: string): FakeAnswer => {
    if (headers['private-token'] !== TOKEN) return { status: 401, body: { message: '401 Unauthorized' } };
    const shown = (issue: Issue): object => ({
      id: issue.id,
      iid: issue.iid,
      project_id: issue.project.id,
      title: issue.title,
      description: issue.description,
      state: issue.state,
      labels: issue.labels,
      web_url: `${root.replace('/api/v4', '')}/${issue.project.path}/-/issues/${issue.iid}`,
      references: { short: `#${issue.iid}`, relative: `#${issue.iid}`, full: `${issue.project.path}#${issue.iid}` },
      moved_to_id: issue.movedTo,
      updated_at: new Date(issue.updated).toISOString(),
    });
    const list = (issues: readonly Issue[]): FakeAnswer => {
      const asked = documented(listing, query);
      const wanted = asked.labels?.split(',') ?? [];
      const field = asked.order_by === 'updated_at' ? 'updated' : 'id';
      const all = issues
        .filter(({ labels }) => wanted.every((label) => labels.includes(label)))
        .filter(({ updated }) => asked.updated_after === undefined || updated >= Date.parse(asked.updated_after))
        .toSorted((one, other) => one[field] - other[field] || one.id - other.id);
      const sorted = asked.sort === 'asc' ? all : all.toReversed();
      const start = (asked.page - 1) * asked.per_page;
      return { status: 200, body: sorted.slice(start, start + asked.per_page).map(shown) };
    };
    const [collection, key, below, iid] = segments;
    if (collection === 'user' && segments.length === 1) return { status: 200, body: { id: 1, username: 'ada' } };
    if (collection === 'issues' && segments.length === 1)
      return list(query['scope'] === 'all' ? projects.flatMap(({ issues }) => [...issues.values()]) : []);
    const project = projects.find(({ id, path }) => key === path || key === String(id));
    if (collection !== 'projects' || !project || (below !== undefined && below !== 'issues')) return notFound;
    if (below === undefined)
      return { status: 200, body: { id: project.id, path_with_namespace: project.path, issues_enabled: true } };
    if (iid === undefined && method === 'POST')
      return { status: 201, body: shown(create(project, documented(creation, body))) };
    if (iid === undefined) return list([...project.issues.values()]);
    const issue = project.issues.get(Number(iid));
    if (!issue) return notFound;
    if (method === 'PUT') {
      const { state_event: event, ...rest } = documented(change, body);
      Object.assign(issue, rest, { updated: Date.now() });
      if (rest.description !== undefined) quickActions(issue);
      if (event) issue.state = event === 'close' ? 'closed' : 'opened';
    }
    return { status: 200, body: shown(issue) };
  };

  const server = await startFakeServer('/api/v4', answer, 'gitlab.yaml');
  const iidOf = (id: string): number => Number(id.split('/')[1]);
  return {
    system: 'gitlab',
    access: { url: server.url, token: TOKEN },
    project: 'acme/shop',
    type: 'issue',
    statuses: ['opened', 'closed'],
    remove: async ({ id }) => void shop.issues.delete(iidOf(id)),
    move: async ({ id, title, labels }) => {
      const copy = create(stock, { title, labels: labels.join(',') });
      const issue = shop.issues.get(iidOf(id))!;
      Object.assign(issue, { state: 'closed', movedTo: copy.id, updated: Date.now() });
      return stock.path;
    },
    createForeign: async (title) => void create(shop, { title }),
    faults: server.faults,
    stop: () => server.stop(),
  };
}
