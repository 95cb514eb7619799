import { createHmac } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  beginAttempt,
  findAttempt,
  findSignInProvider,
  type SignInProvider,
  type UsedAttempt,
  useAttempt,
} from '#domain/access/identity-provider/sign-in-provider.js';
import { type Claims, personOf } from '#domain/access/identity/provider-claims.js';
import { assertSignedInAgain } from '#domain/access/identity/provider-confirmation.js';
import {
  recordRejectedProviderSignIn,
  SignInRejected,
  signInWithProvider,
} from '#domain/access/identity/provider-sign-in.js';
import { authenticatedBy } from '#domain/activity/request-source.js';
import { findActor } from '#domain/access/user/principal.js';
import type { Actor } from '#domain/kernel/actor.js';
import { forkInTransaction, inTransaction } from '#domain/kernel/transaction.js';
import { hashToken, newSecret } from '#platform/crypto/token.js';
import { FairSlots } from '#platform/fair-slots.js';
import { Settings } from '#platform/injected.js';
import { AccessLookups } from '../../http/access/access-lookups.service.js';
import type { SignInClient } from '../../http/access/client.js';
import { FailureLimit } from '../../http/access/failure-limit.js';
import { PrincipalCache } from '../../http/access/principal-cache.js';
import { ProviderClient, type SignInProtection } from '../provider-client.service.js';
import { SignInFailure } from '../sign-in-failure.js';

/** Conversations with providers at once. One provider gets at most half of them, so that a slow one delays no other. */
const SLOTS = 20;
/** Maximum number of conversations with one provider that wait. */
const QUEUE_LENGTH = 100;

const NOT_BEGUN = 'This sign-in was already used, has expired, or was begun in another browser. Please start again.';

const OTHER_SESSION = 'The session that you wanted to confirm has ended. Please sign in.';

/** The browser that begins a sign-in. */
interface BrowserOfSignIn {
  /** The secret in its cookie. */
  readonly browser: string;
  readonly redirectUri: string;
  readonly returnTo: string;
  /** The secret of the invitation that the person accepts. */
  readonly invitation: string | undefined;
  /** The session that the person confirms by signing in again; undefined to start one. */
  readonly session: number | undefined;
}

/** A sign-in that a provider has confirmed, and the path to which the browser returns. */
export interface CompletedSignIn {
  readonly actor: Actor;
  readonly providerId: number;
  readonly idToken: string;
  readonly returnTo: string;
  /** Whether it confirms the session that the actor has, instead of starting one. */
  readonly isConfirmation: boolean;
}

/**
 * What protects a sign-in is derived from its state and a secret that only the browser has: the database stores
 * neither, so that no one who reads it can use a stolen code.
 */
function protectionOf(state: string, browser: string): SignInProtection {
  const derive = (purpose: string): string =>
    createHmac('sha256', browser).update(`${purpose} ${state}`).digest('base64url');
  return { state, nonce: derive('nonce'), verifier: derive('verifier') };
}

/** A rejected sign-in, as the page and the activity show it. Other errors stay as they are. */
function failureOf(error: unknown, claims: Claims): unknown {
  if (!(error instanceof SignInRejected)) return error;
  const { userId } = error;
  return new SignInFailure(error.message, { claims, ...(userId !== undefined && { userId }) });
}

/** Signs people in with identity providers. */
@Injectable()
export class OidcSignIn {
  private readonly slots: FairSlots;

  constructor(
    private readonly em: EntityManager,
    private readonly providers: ProviderClient,
    private readonly lookups: AccessLookups,
    private readonly failures: FailureLimit,
    private readonly principals: PrincipalCache,
    { requestWaitSeconds }: Settings,
  ) {
    const waitMilliseconds = requestWaitSeconds * 1000;
    this.slots = new FairSlots({ slots: SLOTS, waitMilliseconds, queueLength: QUEUE_LENGTH });
  }

  /** Begins a sign-in; returns where the browser signs in. Throws `SignInFailure`. */
  async begin(
    id: string,
    { network }: SignInClient,
    { browser, redirectUri, returnTo, invitation, session }: BrowserOfSignIn,
  ): Promise<URL> {
    // Anyone can begin a sign-in, which is stored.
    await this.failures.countToken(network);
    const provider = await this.lookups.run(network, () => findSignInProvider(forkInTransaction(this.em), id));
    if (!provider?.active) throw new SignInFailure('There is no such identity provider, or it is not active.');
    const state = newSecret();
    const url = await this.inSlot(provider, () =>
      this.providers.authorizationUrl(
        provider,
        { redirectUri, again: session !== undefined },
        protectionOf(state, browser),
      ),
    );
    const attempt = {
      stateHash: hashToken(state),
      browserHash: hashToken(browser),
      providerId: provider.id,
      returnTo,
      invitationHash: invitation === undefined ? null : hashToken(invitation),
      sessionId: session ?? null,
    };
    await inTransaction(this.em, provider, (em) => beginAttempt(em, attempt));
    return url;
  }

  /**
   * Completes a sign-in that this browser has begun. Throws `SignInFailure`, and records it as an activity.
   *
   * @param current whose session the browser has
   */
  async complete(
    callback: URL,
    browser: string,
    client: SignInClient,
    current: Actor | undefined,
  ): Promise<CompletedSignIn> {
    const state = callback.searchParams.get('state') ?? '';
    const hashes = { stateHash: hashToken(state), browserHash: hashToken(browser) };
    const { network } = client;
    const provider = await this.lookups.run(network, () => findAttempt(forkInTransaction(this.em), hashes));
    if (!provider) {
      await this.failures.countToken(network);
      throw new SignInFailure(NOT_BEGUN);
    }
    const attempt = await inTransaction(this.em, provider, (em) => useAttempt(em, hashes.stateHash));
    try {
      if (!attempt) throw new SignInFailure(NOT_BEGUN);
      if (!provider.active) throw new SignInFailure(`${provider.name} is not active any more.`);
      const { claims, idToken } = await this.inSlot(provider, () =>
        this.providers.confirm(provider, callback, protectionOf(state, browser)),
      );
      authenticatedBy('provider');
      const isConfirmation = attempt.sessionId !== null;
      const actor = isConfirmation
        ? await this.confirm(provider, claims, attempt, current)
        : await this.signIn(provider, { claims, invitationHash: attempt.invitationHash }, client);
      return { actor, providerId: provider.id, idToken, returnTo: attempt.returnTo, isConfirmation };
    } catch (error) {
      if (error instanceof SignInFailure) await this.record(provider, error, client);
      throw error;
    }
  }

  private async signIn(
    provider: SignInProvider,
    { claims, invitationHash }: { readonly claims: Claims; readonly invitationHash: Uint8Array | null },
    { ip = '' }: SignInClient,
  ): Promise<Actor> {
    const person = personOf(claims, provider.claims);
    const signedIn = inTransaction(this.em, provider, async (em) => {
      const id = await signInWithProvider(em, provider, person, { claims, address: ip, invitationHash });
      const actor = await findActor(em, id);
      if (!actor) throw new Error('The user who has signed in does not exist.');
      return actor;
    });
    return this.principals.forgetAfter(signedIn).catch((error: unknown) => {
      throw failureOf(error, claims);
    });
  }

  /** Checks that whoever has the session has signed in again. It stays theirs: nothing else changes. */
  private async confirm(
    provider: SignInProvider,
    claims: Claims,
    { sessionId, begun }: UsedAttempt,
    current: Actor | undefined,
  ): Promise<Actor> {
    if (!current || current.session !== sessionId) throw new SignInFailure(OTHER_SESSION);
    const person = personOf(claims, provider.claims);
    await inTransaction(this.em, provider, (em) =>
      assertSignedInAgain(em, provider, { person, claims }, { userId: current.id, begun }),
    ).catch((error: unknown) => {
      throw failureOf(error, claims);
    });
    return current;
  }

  private async record(
    provider: SignInProvider,
    failure: SignInFailure,
    { ip = '', log }: SignInClient,
  ): Promise<void> {
    log.warn({ address: ip, provider: provider.id, reason: failure.message }, 'Sign-in failed');
    const rejection = { reason: failure.message, address: ip, ...failure.context };
    await inTransaction(this.em, provider, (em) => recordRejectedProviderSignIn(em, provider, rejection));
  }

  private async inSlot<Result>({ id }: SignInProvider, work: () => Promise<Result>): Promise<Result> {
    const release = await this.slots.acquire(id);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
