import type { Tracker } from '../tracker.js';

const API_OF_GITHUB_COM = 'https://api.github.com';

/** The root of the API: github.com has a host for it, Enterprise Server a path. */
function apiOf(url: string): string {
  const { hostname } = new URL(url);
  if (['github.com', 'www.github.com', 'api.github.com'].includes(hostname)) return API_OF_GITHUB_COM;
  return url.endsWith('/api/v3') ? url : `${url}/api/v3`;
}

/** GitHub and GitHub Enterprise Server. A project is a repository: `owner/name`. */
export const github: Tracker = {
  name: 'GitHub',
  apiOf: ({ url }) => apiOf(url),
  headersOf: ({ token }) => ({
    Authorization: `Bearer ${token}`,
    Accept: 'application/vnd.github+json',
    'X-GitHub-Api-Version': '2022-11-28',
  }),
  accountPath: '/user',
  isAccount: ({ login, id }) => typeof login === 'string' && typeof id === 'number',
  isKey: (key) => key.split('/').length === 2,
  projectPath: (key) => `/repos/${key.split('/').map(encodeURIComponent).join('/')}`,
  isProject: (body) => typeof body['full_name'] === 'string',
  hasNoIssues: (body) => body['has_issues'] === false,
};
