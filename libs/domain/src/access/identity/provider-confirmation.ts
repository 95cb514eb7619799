import type { EntityManager } from '@mikro-orm/postgresql';
import { MAX_CLOCK_DIFFERENCE_SECONDS } from '../identity-provider/identity-provider.rules.js';
import type { SignInProvider } from '../identity-provider/sign-in-provider.js';
import type { Claims, ProviderPerson } from './provider-claims.js';
import { findIdentity, SignInRejected } from './provider-sign-in.js';

/**
 * Throws `SignInRejected` unless the person has signed in at the provider after this time, in seconds since 1970: some
 * providers ignore the wish, and confirm a sign-in of this morning.
 */
function assertSignedInSince({ name }: SignInProvider, { auth_time: time }: Claims, begun: number): void {
  if (typeof time !== 'number' || !Number.isFinite(time))
    throw new SignInRejected(`${name} does not say when you signed in there, in the claim "auth_time".`);
  if (time < begun - MAX_CLOCK_DIFFERENCE_SECONDS)
    throw new SignInRejected(`${name} did not ask you to sign in again: your sign-in there is too old.`);
  if (time > Date.now() / 1000 + MAX_CLOCK_DIFFERENCE_SECONDS)
    throw new SignInRejected(`${name} says that you signed in there in the future: its clock is not right.`);
}

/**
 * Checks that a user, who has a session, has just signed in again at the provider. Throws `SignInRejected` if it was
 * someone else, or earlier.
 *
 * @param begun when the confirmation began, in seconds since 1970
 */
export async function assertSignedInAgain(
  em: EntityManager,
  provider: SignInProvider,
  { person, claims }: { readonly person: ProviderPerson; readonly claims: Claims },
  { userId, begun }: { readonly userId: number; readonly begun: number },
): Promise<void> {
  assertSignedInSince(provider, claims, begun);
  const identified = await findIdentity(em, provider, person);
  if (identified?.id === userId) return;
  throw new SignInRejected(
    `You signed in at ${provider.name} with another account than the one of your session here.`,
    userId,
  );
}
