import { queryOptions } from '@tanstack/react-query';
import { bodyOf, client } from './client.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => bodyOf(client.GET('/auth/session/', { signal })),
  staleTime: Infinity,
});

export type Session = Awaited<ReturnType<typeof signIn>>;

export const signIn = (body: { email: string; password: string }) => bodyOf(client.POST('/auth/login/', { body }));

export const signOut = () => bodyOf(client.POST('/auth/logout/'));

/** A link that starts a sign-in with a provider, and returns to the present address. */
export const startOf = (start: string): string =>
  `${start}?${new URLSearchParams({ return_to: location.pathname + location.search })}`;
