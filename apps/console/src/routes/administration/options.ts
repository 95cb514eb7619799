import { useQuery } from '@tanstack/react-query';
import { groupsQuery, rolesQuery, usersQuery } from '../../api/users.ts';
import { type Option, personOption } from '../../components/options.tsx';

export const optionsOf = (items: readonly { readonly id: number | string; readonly name: string }[] | undefined) =>
  (items ?? []).map(({ id, name }): Option => ({ value: String(id), label: name }));

export const useRoles = (): Option[] => optionsOf(useQuery(rolesQuery({})).data?.results);

export const useGroups = (): Option[] => optionsOf(useQuery(groupsQuery({})).data?.results);

export const useUsers = (): Option[] =>
  (useQuery(usersQuery({})).data?.results ?? []).map((user) => personOption(user, String(user.id)));

/** `manage_users` → `Manage users`. */
export const inWords = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

export const roleName = (role: string | { readonly name: string } | null): string =>
  typeof role === 'object' ? (role?.name ?? '') : role;
