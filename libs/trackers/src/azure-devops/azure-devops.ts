import { basic, type Tracker } from '../tracker.js';

const VERSION = 'api-version=7.0';

/** Azure DevOps. The URL is that of an organization or collection, such as `https://dev.azure.com/example`. */
export const azureDevOps: Tracker = {
  name: 'Azure DevOps',
  apiOf: ({ url }) => `${url}/_apis`,
  headersOf: ({ token }) => ({ Authorization: basic('', token) }),
  // Data of the connection would be returned without a valid token too.
  accountPath: `/projects?${VERSION}&$top=1`,
  isAccount: ({ count, value }) => typeof count === 'number' && Array.isArray(value),
  projectPath: (key) => `/projects/${encodeURIComponent(key)}?${VERSION}`,
  isProject: ({ id, state }) => typeof id === 'string' && typeof state === 'string',
  hasNoIssues: ({ state }) => state !== 'wellFormed',
};
