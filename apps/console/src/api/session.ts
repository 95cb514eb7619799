import { queryOptions } from '@tanstack/react-query';
import { bodyOf, client } from './client.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => bodyOf(client.GET('/auth/session/', { signal })),
  staleTime: Infinity,
});

export type Session = Awaited<ReturnType<typeof signIn>>;

export const confirmSession = (password: string) =>
  bodyOf<unknown>(client.POST('/auth/reauthenticate/', { body: { password } }));

/** Returns where the identity provider asks the person to sign in again; then they are back here. */
export async function confirmByProvider(): Promise<string> {
  const body = { return_to: location.pathname + location.search };
  const answer = await bodyOf<unknown>(client.POST('/auth/reauthenticate/', { body }));
  return (answer as { redirect: string }).redirect;
}

export const signIn = (body: { email: string; password: string }) => bodyOf(client.POST('/auth/login/', { body }));

export const signOut = () => bodyOf(client.POST('/auth/logout/'));

/** A link that starts a sign-in with a provider, and returns to the present address. */
export const startOf = (start: string): string =>
  `${start}?${new URLSearchParams({ return_to: location.pathname + location.search })}`;
