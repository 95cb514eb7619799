import type { Tracker, TrackerBody } from '../tracker.js';

/** A member that is itself an object; an empty one if there is none. */
function memberOf(body: TrackerBody, name: string): TrackerBody {
  const member = body[name];
  return typeof member === 'object' && member !== null ? (member as TrackerBody) : {};
}

const modulesOf = (body: TrackerBody): unknown => memberOf(body, 'project')['enabled_modules'];

/** Redmine. A project has an identifier or a number. */
export const redmine: Tracker = {
  name: 'Redmine',
  apiOf: ({ url }) => url,
  headersOf: ({ token }) => ({ 'X-Redmine-API-Key': token }),
  accountPath: '/users/current.json',
  isAccount: (body) => typeof memberOf(body, 'user')['id'] === 'number',
  projectPath: (key) => `/projects/${encodeURIComponent(key)}.json?include=enabled_modules`,
  isProject: (body) => typeof memberOf(body, 'project')['id'] === 'number',
  hasNoIssues: (body) => {
    const modules = modulesOf(body);
    return Array.isArray(modules) && !modules.some((module: TrackerBody) => module['name'] === 'issue_tracking');
  },
};
