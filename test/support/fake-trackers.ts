import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describedBy } from './trackers/described.js';
import { GITHUB_USER, githubRepository } from './trackers/fake-github.js';

/** What a fake tracker returns: a status, and a body as JSON or text. */
interface TrackerResponse {
  readonly status: number;
  readonly body: unknown;
}

/** An issue tracker as its public documentation describes it, with one token and two projects. */
interface FakeProduct {
  /** The path of its API below its URL. */
  readonly api: string;
  /** Whether a request is authenticated with `TRACKER_TOKEN`. */
  readonly isAuthentic: (headers: IncomingHttpHeaders) => boolean;
  readonly rejection: TrackerResponse;
  /** What the responses are compared with: a file in `trackers/descriptions`. */
  readonly description?: string;
  /** Responses by path. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The key of a project with issues. */
  readonly project: string;
  /** The key of a project whose issues are switched off, if the tracker has such projects. */
  readonly withoutIssues?: string;
  /** Further parameters of a connector. */
  readonly params?: Readonly<Record<string, string>>;
}

/** The only token that the fakes accept. */
export const TRACKER_TOKEN = 'hush-5f2c1e';

const EMAIL = 'ada@example.com';
const basic = (user: string): string => `Basic ${Buffer.from(`${user}:${TRACKER_TOKEN}`).toString('base64')}`;
const isBearer = ({ authorization }: IncomingHttpHeaders): boolean => authorization === `Bearer ${TRACKER_TOKEN}`;
const redmineProject = (id: number, modules: readonly string[]): object => ({
  project: { id, identifier: `p${id}`, enabled_modules: modules.map((name, place) => ({ id: place, name })) },
});

/** The trackers by the name of a variant; the id of the system is what precedes the first blank. */
export const FAKE_TRACKERS: Readonly<Record<string, FakeProduct>> = {
  'jira of the cloud': {
    api: '/rest/api/3',
    isAuthentic: ({ authorization }) => authorization === basic(EMAIL),
    description: 'jira-cloud.yaml',
    rejection: { status: 401, body: 'Client must be authenticated to access this resource.' },
    answers: {
      '/myself': { accountId: '5b10a2844c20165700ede21g', emailAddress: EMAIL, active: true },
      '/project/SHOP': { id: '10000', key: 'SHOP', name: 'Shop' },
    },
    project: 'SHOP',
    params: { email: EMAIL },
  },
  'jira of a data center': {
    api: '/rest/api/2',
    isAuthentic: isBearer,
    description: 'jira-data-center.yaml',
    rejection: { status: 401, body: { message: 'Client must be authenticated to access this resource.' } },
    answers: {
      '/myself': { key: 'JIRAUSER10100', name: 'ada', active: true },
      '/project/SHOP': { id: '10000', key: 'SHOP', name: 'Shop' },
    },
    project: 'SHOP',
  },
  'github on an Enterprise Server': {
    api: '/api/v3',
    isAuthentic: isBearer,
    description: 'github.json',
    rejection: { status: 401, body: { message: 'Bad credentials' } },
    answers: {
      '/user': GITHUB_USER,
      '/repos/acme/shop': githubRepository(7, 'acme/shop', {}),
      '/repos/acme/docs': githubRepository(8, 'acme/docs', { has_issues: false }),
    },
    project: 'acme/shop',
    withoutIssues: 'acme/docs',
  },
  gitlab: {
    api: '/api/v4',
    isAuthentic: (headers) => headers['private-token'] === TRACKER_TOKEN,
    description: 'gitlab.yaml',
    rejection: { status: 401, body: { message: '401 Unauthorized' } },
    answers: {
      '/user': { id: 1, username: 'ada' },
      '/projects/acme%2Fshop': { id: 7, path_with_namespace: 'acme/shop', issues_access_level: 'enabled' },
      '/projects/acme%2Fdocs': { id: 8, path_with_namespace: 'acme/docs', issues_access_level: 'disabled' },
    },
    project: 'acme/shop',
    withoutIssues: 'acme/docs',
  },
  azure_devops: {
    api: '',
    isAuthentic: ({ authorization }) => authorization === basic(''),
    description: 'azure-devops.yaml',
    rejection: { status: 203, body: '<html>Azure DevOps Services | Sign In</html>' },
    answers: {
      '/_apis/projects?api-version=7.0&$top=1': {
        count: 1,
        value: [{ id: 'eb6e4656', name: 'Shop', state: 'wellFormed' }],
      },
      '/_apis/projects/Web%20shop?api-version=7.0': { id: 'eb6e4656', name: 'Web shop', state: 'wellFormed' },
    },
    project: 'Web shop',
  },
  redmine: {
    api: '',
    isAuthentic: (headers) => headers['x-redmine-api-key'] === TRACKER_TOKEN,
    rejection: { status: 401, body: '' },
    answers: {
      '/users/current.json': { user: { id: 5, login: 'ada' } },
      '/projects/shop.json?include=enabled_modules': redmineProject(7, ['issue_tracking', 'wiki']),
      '/projects/docs.json?include=enabled_modules': redmineProject(8, ['wiki']),
    },
    project: 'shop',
    withoutIssues: 'docs',
  },
};

/** A fake issue tracker: HTTP on a loopback address. */
export interface FakeTracker {
  /** Its address, with a path, as behind a proxy. */
  readonly url: string;
  /** Methods and paths of all requests, in order. */
  readonly requests: readonly string[];
  /** Sets the response to a path; undefined restores its default. */
  answer(path: string, response: TrackerResponse | undefined): void;
  stop(): Promise<void>;
}

const FOLDER = '/tools';

/** What the description of an API says against the responses of a fake. */
function faultsOf({ description, answers }: FakeProduct): readonly string[] {
  if (description === undefined) return [];
  const compare = describedBy(description);
  return Object.entries(answers).flatMap(([path, body]) => {
    const { pathname, searchParams } = new URL(path, 'http://tracker.example');
    const segments = pathname.slice(1).split('/').map(decodeURIComponent);
    const query = Object.fromEntries(searchParams);
    return compare({ method: 'GET', segments, query, type: undefined, body: undefined, answer: { status: 200, body } });
  });
}

/** Starts a fake tracker, whose responses are what its API is described to return. */
export async function startFakeTracker(product: FakeProduct): Promise<FakeTracker> {
  const { api, isAuthentic, rejection, answers } = product;
  const faults = faultsOf(product);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const special = new Map<string, TrackerResponse>();
  const requests: string[] = [];
  const usual = (path: string, headers: IncomingHttpHeaders): TrackerResponse => {
    if (!isAuthentic(headers)) return rejection;
    const body = answers[path];
    return body === undefined ? { status: 404, body: { message: 'Not Found' } } : { status: 200, body };
  };
  const server = createServer(({ url = '', method, headers }, response) => {
    const root = FOLDER + api;
    const path = url.startsWith(root) ? url.slice(root.length) : '';
    requests.push(`${method} ${path}`);
    const { status, body } = special.get(path) ?? usual(path, headers);
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${FOLDER}`,
    requests,
    answer: (path, response) => void (response ? special.set(path, response) : special.delete(path)),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
