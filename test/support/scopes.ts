import type { TestApi, TestUser } from './api.js';
import { type ApiClient, bodyOf } from './client.js';

/** Every scope of a token, by family. Written from the specification, not from the code. */
export const SCOPES = [
  'access:read',
  'access:write',
  'activity:read',
  'connections:read',
  'connections:write',
  'exchange:read',
  'exchange:write',
  'library:read',
  'library:write',
  'notifications:read',
  'notifications:write',
  'projects:read',
  'projects:write',
  'reports:read',
  'reports:write',
] as const;

/** The family of each path below `/api/v2`; the first that matches counts. `null`: no scope. */
const FAMILIES: readonly (readonly [RegExp, string | null])[] = [
  [/^\/(?:session|composite)\/$/, null],
  [/^\/users\/me\/(?:permissions\/|preferences\/|views\/.*)?$/, null],
  [/activity-stream|^\/activity-redirect\/|^\/events\//, 'activity'],
  [/^\/users\/me\/auth-token\/$|^\/queries\//, 'reports'],
  [/^\/users\/me\/tasks\/$/, 'projects'],
  [/^\/(?:users|groups|global-roles|token-policy|identity-providers)\//, 'access'],
  [/^\/library\/(?:export|import)\//, 'exchange'],
  [/^\/(?:library|phases|problem|profiles|search)\//, 'library'],
  [/^\/webhooks\//, 'notifications'],
  [/^\/(?:connectors|connections)\//, 'connections'],
  [
    /^\/(?:home|projects|project-roles|project-diagrams|applications|business-units|risk-policies|task-statuses|team-onboarding)\//,
    'projects',
  ],
  [/^\/(?:automation|jobs\/analysis-file)\//, 'projects'],
];

/** The scope that an operation needs; null if it needs none. Fails for an operation that no family has. */
export function scopeOf(method: string, path: string): string | null {
  if (path.startsWith('/flags/')) return method === 'GET' ? null : 'access:write';
  const found = FAMILIES.find(([pattern]) => pattern.test(path));
  if (!found) throw new Error(`No family has ${path}.`);
  return found[1] && `${found[1]}:${method === 'GET' ? 'read' : 'write'}`;
}

/** A client with a new token of a user that is limited to these scopes, and to these projects if there are any. */
export async function withScopes(
  user: Pick<TestUser, 'api'>,
  scopes: readonly string[],
  projects?: readonly number[],
): Promise<ApiClient> {
  const body = { name: 'Limited', scopes, ...(projects && { projects }) };
  return user.api.as((await bodyOf(user.api.post<{ token: string }>('/users/me/tokens/', body), 201)).token);
}

/** Operations of the API that accept tokens and still exist: their addresses, and their paths below `/api/v2`. */
export const tokenOperations = ({ document, origin }: Pick<TestApi, 'document' | 'origin'>) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security = document.security ?? [], description = '', responses }]) =>
      security.some((scheme) => 'token' in scheme) && !('410' in responses)
        ? [
            {
              method: method.toUpperCase(),
              path: path.replace('/api/v2', ''),
              address: `${origin}${path}`,
              description,
            },
          ]
        : [],
    ),
  );
