import { basic, type Tracker } from '../tracker.js';

/** Jira Cloud, whose tokens belong to an e-mail address and whose API is version 3, and Data Center with version 2. */
export const jira: Tracker = {
  name: 'Jira',
  apiOf: ({ url, email }) => `${url}/rest/api/${email === undefined ? '2' : '3'}`,
  headersOf: ({ email, token }) => ({
    Authorization: email === undefined ? `Bearer ${token}` : basic(email, token),
  }),
  accountPath: '/myself',
  isAccount: ({ accountId, name }) => typeof accountId === 'string' || typeof name === 'string',
  projectPath: (key) => `/project/${encodeURIComponent(key)}`,
  isProject: ({ id, key }) => typeof id === 'string' && typeof key === 'string',
  hasNoIssues: () => false,
};
