import type { Tracker } from '../tracker.js';

/** GitLab. A project has a path (`group/name`) or a number. */
export const gitlab: Tracker = {
  name: 'GitLab',
  apiOf: ({ url }) => `${url}/api/v4`,
  headersOf: ({ token }) => ({ 'PRIVATE-TOKEN': token }),
  accountPath: '/user',
  isAccount: ({ username, id }) => typeof username === 'string' && typeof id === 'number',
  projectPath: (key) => `/projects/${encodeURIComponent(key)}`,
  isProject: (body) => typeof body['path_with_namespace'] === 'string',
  hasNoIssues: (body) => body['issues_access_level'] === 'disabled' || body['issues_enabled'] === false,
};
