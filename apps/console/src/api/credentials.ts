import { queryOptions } from '@tanstack/react-query';
import { ApiError, bodyOf, client, ifUnchanged, taggedBodyOf } from './client.ts';
import { listQuery } from './lists.ts';
import type { components } from './openapi.d.ts';

/** Whose tokens and sessions: the caller's, or another user's. */
export type Owner = 'me' | number;

export type TokenInput = components['schemas']['CreateToken'];
export type Scope = NonNullable<TokenInput['scopes']>[number];

export const tokensQuery = (owner: Owner) =>
  listQuery({
    queryKey: ['tokens', owner],
    read: (options) =>
      owner === 'me'
        ? client.GET('/api/v2/users/me/tokens/', { ...options })
        : client.GET('/api/v2/users/{id}/tokens/', { params: { path: { id: owner } }, ...options }),
  });

/** Returns the token itself, which cannot be read again. */
export const createToken = (owner: Owner, body: TokenInput) =>
  bodyOf(
    owner === 'me'
      ? client.POST('/api/v2/users/me/tokens/', { body })
      : client.POST('/api/v2/users/{id}/tokens/', { params: { path: { id: owner } }, body }),
  );

export const revokeToken = (owner: Owner, id: number) =>
  bodyOf<unknown>(
    owner === 'me'
      ? client.DELETE('/api/v2/users/me/tokens/{id}/', { params: { path: { id } } })
      : client.DELETE('/api/v2/users/{user}/tokens/{id}/', { params: { path: { user: owner, id } } }),
  );

export const sessionsQuery = (owner: Owner) =>
  listQuery({
    queryKey: ['sessions', owner],
    read: (options) =>
      owner === 'me'
        ? client.GET('/api/v2/users/me/sessions/', { ...options })
        : client.GET('/api/v2/users/{user}/sessions/', { params: { path: { user: owner } }, ...options }),
  });

export const endSession = (owner: Owner, id: number) =>
  bodyOf<unknown>(
    owner === 'me'
      ? client.DELETE('/api/v2/users/me/sessions/{id}/', { params: { path: { id } } })
      : client.DELETE('/api/v2/users/{user}/sessions/{id}/', { params: { path: { user: owner, id } } }),
  );

export const tokenPolicyQuery = queryOptions({
  queryKey: ['token-policy'],
  queryFn: ({ signal }) => taggedBodyOf(client.GET('/api/v2/token-policy/', { signal })),
});

export const changeTokenPolicy = (body: components['schemas']['ChangeTokenPolicy'], etag: string) =>
  taggedBodyOf(client.PATCH('/api/v2/token-policy/', { params: { header: ifUnchanged(etag) }, body }));

/** Changes the caller's password: the present one first confirms the session. */
export async function changePassword(body: { current_password: string; new_password: string; keep_tokens: boolean }) {
  try {
    await bodyOf(client.POST('/auth/reauthenticate/', { body: { password: body.current_password } }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw new ApiError(400, { current_password: error.message });
  }
  return bodyOf(client.POST('/api/v2/users/me/password/', { body }));
}

export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: ({ signal }) => bodyOf(client.GET('/api/v2/users/me/preferences/', { signal })),
});

export const changePreferences = (body: Record<string, unknown>) =>
  bodyOf(client.PATCH('/api/v2/users/me/preferences/', { body }));

/** What tokens can be used for. */
export const ALL_SCOPES: readonly Scope[] = [
  '*',
  'library:read',
  'library:write',
  'projects:read',
  'projects:write',
  'reports:read',
  'reports:write',
  'exchange:read',
  'exchange:write',
  'notifications:read',
  'notifications:write',
  'connections:read',
  'connections:write',
  'access:read',
  'access:write',
  'activity:read',
  'admin',
];
