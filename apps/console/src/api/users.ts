import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { bodyOf, client, type DataOf, ifUnchanged, taggedBodyOf } from './client.ts';
import { listQuery } from './lists.ts';
import type { components } from './openapi.d.ts';

type Schemas = components['schemas'];

export const usersQuery = ({ q }: { readonly q?: string | undefined }) =>
  listQuery({
    queryKey: ['users', q],
    read: (options) =>
      client.GET('/api/v2/users/', {
        params: { query: { search: q, ordering: ['first_name', 'last_name', 'id'], expand: ['role'] } },
        ...options,
      }),
    placeholderData: keepPreviousData,
  });

export type User = DataOf<typeof usersQuery>['results'][number];

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => taggedBodyOf(client.GET('/api/v2/users/{id}/', { params: { path: { id } }, signal })),
  });

export const createUser = (body: Schemas['CreateUser']) => bodyOf(client.POST('/api/v2/users/', { body }));

export const changeUser = (id: number, body: Schemas['ChangeUser'], etag?: string) =>
  taggedBodyOf(
    client.PATCH('/api/v2/users/{id}/', {
      params: { path: { id }, ...(etag !== undefined && { header: ifUnchanged(etag) }) },
      body,
    }),
  );

export const inviteUser = (user: number) =>
  bodyOf(client.POST('/api/v2/users/{user}/invitations/', { params: { path: { user } } }));

export const groupsQuery = ({ q }: { readonly q?: string | undefined }) =>
  listQuery({
    queryKey: ['groups', q],
    read: (options) =>
      client.GET('/api/v2/groups/', {
        params: { query: { search: q, ordering: ['name'], expand: ['role'] } },
        ...options,
      }),
    placeholderData: keepPreviousData,
  });

export type UserGroup = DataOf<typeof groupsQuery>['results'][number];

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ['groups', 'one', id],
    queryFn: ({ signal }) => taggedBodyOf(client.GET('/api/v2/groups/{id}/', { params: { path: { id } }, signal })),
  });

export const createGroup = (body: Schemas['CreateGroup']) => bodyOf(client.POST('/api/v2/groups/', { body }));

export const changeGroup = (id: string, body: Schemas['ChangeGroup'], etag: string) =>
  taggedBodyOf(client.PATCH('/api/v2/groups/{id}/', { params: { path: { id }, header: ifUnchanged(etag) }, body }));

export const removeGroup = (id: string) => bodyOf(client.DELETE('/api/v2/groups/{id}/', { params: { path: { id } } }));

export const rolesQuery = ({ q }: { readonly q?: string | undefined }) =>
  listQuery({
    queryKey: ['roles', q],
    read: (options) =>
      client.GET('/api/v2/global-roles/', { params: { query: { search: q, ordering: ['name'] } }, ...options }),
    placeholderData: keepPreviousData,
  });

export type Role = DataOf<typeof rolesQuery>['results'][number];

export const roleQuery = (id: string) =>
  queryOptions({
    queryKey: ['roles', 'one', id],
    queryFn: ({ signal }) =>
      taggedBodyOf(client.GET('/api/v2/global-roles/{id}/', { params: { path: { id } }, signal })),
  });

export const createRole = (body: Schemas['CreateGlobalRole']) => bodyOf(client.POST('/api/v2/global-roles/', { body }));

export const changeRole = (id: string, body: Schemas['ChangeGlobalRole'], etag: string) =>
  taggedBodyOf(
    client.PATCH('/api/v2/global-roles/{id}/', { params: { path: { id }, header: ifUnchanged(etag) }, body }),
  );

export const removeRole = (id: string) =>
  bodyOf(client.DELETE('/api/v2/global-roles/{id}/', { params: { path: { id } } }));
