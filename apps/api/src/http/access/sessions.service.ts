import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Actor } from '#domain/kernel/actor.js';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { forkInTransaction, inTransaction } from '#domain/kernel/transaction.js';
import {
  confirmSession,
  endSession,
  recordSessionUse,
  renewSession,
  startSession,
} from '#domain/access/session/session.commands.js';
import { findSessionOwner, type SessionOwner } from '#domain/access/session/session-owner.js';
import { findSessionOrigin } from '#domain/access/session/session-origin.js';
import { ID_TOKEN_PURPOSE, type SessionLimits } from '#domain/access/session/session.rules.js';
import type { SignInProvider } from '#domain/access/identity-provider/sign-in-provider.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import { hashToken } from '#platform/crypto/token.js';
import { ErrorResponse } from '../errors/error-response.js';
import type { ApiRequest } from '../request.js';
import { AccessLookups } from './access-lookups.service.js';
import type { SignInClient } from './client.js';
import type { Principal } from './credentials.js';
import { PrincipalCache } from './principal-cache.js';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from './session-cookie.js';

/** The response to a cookie whose session does not exist any more, or never did. */
const sessionEnded = (): ErrorResponse =>
  new ErrorResponse(401, 'Your session has ended. Sign in again.', { 'WWW-Authenticate': 'Token' });

/** The id in the request's cookie, if it counts: other credentials take precedence. */
const sessionIdOf = (request: ApiRequest): string | undefined =>
  request.headers.authorization === undefined ? readSessionCookie(request) : undefined;

/** The sessions of browsers: each is a row, and its id is in a cookie. */
@Injectable()
export class Sessions {
  private readonly limits: SessionLimits;

  constructor(
    private readonly em: EntityManager,
    private readonly cache: PrincipalCache,
    private readonly lookups: AccessLookups,
    private readonly secrets: SecretBox,
    { sessionIdleHours: idleHours, sessionMaximumHours: maximumHours }: Settings,
  ) {
    this.limits = { idleHours, maximumHours };
  }

  /** The caller by their cookie; undefined without a cookie that counts. Throws a 401 if its session has ended. */
  async authenticate(request: ApiRequest, client: SignInClient): Promise<Principal | undefined> {
    const id = sessionIdOf(request);
    if (id === undefined) return undefined;
    const principal = id === '' ? undefined : await this.find(id, client);
    if (!principal) throw sessionEnded();
    return principal;
  }

  /** The same, without an error: undefined if there is no session. */
  async current(request: ApiRequest, client: SignInClient): Promise<Principal | undefined> {
    const id = sessionIdOf(request);
    return id === undefined || id === '' ? undefined : this.find(id, client);
  }

  private async find(id: string, { network, log }: SignInClient): Promise<Principal | undefined> {
    const hash = hashToken(id);
    const load = async (): Promise<SessionOwner | undefined> => {
      const owner = await this.lookups.run(network, () => findSessionOwner(forkInTransaction(this.em), hash));
      if (owner?.stale && !this.em.isInTransaction())
        // The time of last use is best effort, like that of a token.
        inTransaction(this.em, owner.actor, (em) => recordSessionUse(em, owner.session.id, this.limits)).catch(
          (error: unknown) => log.warn({ err: error }, 'Session use could not be recorded'),
        );
      return owner;
    };
    // The prefix keeps the id of a session from passing as a token.
    return this.cache.find(this.em, `session ${hash.toString('base64')}`, load);
  }

  /** Replaces the id of a session whose user has got other permissions since. A sub-request has no cookie to set. */
  async renewIfOutdated({ actor, session }: Principal, request: ApiRequest, response: Response): Promise<void> {
    const id = sessionIdOf(request);
    if (!session?.isOutdated || !id || request.subRequest) return;
    const newId = await this.cache.forgetAfter(inTransaction(this.em, actor, (em) => renewSession(em, actor, id)));
    if (newId !== undefined) this.setCookie(request, response, newId);
  }

  /**
   * Starts a session, and ends the one that the browser has had until now.
   *
   * @param provided the identity provider that has signed the actor in, and its ID token
   */
  async start(
    actor: Actor,
    client: SignInClient,
    request: ApiRequest,
    response: Response,
    provided?: { readonly providerId: number; readonly idToken: string },
  ): Promise<Actor> {
    const before = await this.current(request, client);
    if (before) await this.end(before.actor);
    const place = { address: client.ip ?? '', userAgent: client.userAgent };
    const origin = provided && {
      providerId: provided.providerId,
      sealedIdToken: this.secrets.seal(provided.idToken, ID_TOKEN_PURPOSE),
    };
    const id = await inTransaction(this.em, actor, (em) => startSession(em, actor, place, this.limits, origin));
    this.setCookie(request, response, id);
    const owner = await findSessionOwner(forkInTransaction(this.em), hashToken(id));
    if (!owner) throw sessionEnded();
    return owner.actor;
  }

  /**
   * Marks the actor's session as confirmed, under a new id. Throws a 401 if it has ended.
   *
   * @param idToken of the identity provider that has confirmed who they are
   */
  async confirm(actor: Actor, request: ApiRequest, response: Response, idToken?: string): Promise<void> {
    const sealed = idToken === undefined ? undefined : this.secrets.seal(idToken, ID_TOKEN_PURPOSE);
    const confirmed = inTransaction(this.em, actor, (em) => confirmSession(em, actor, actor.session ?? 0, sealed));
    const id = await this.cache.forgetAfter(confirmed).catch((error: unknown) => {
      throw error instanceof NotFound ? sessionEnded() : error;
    });
    this.setCookie(request, response, id);
  }

  /** The provider with which the actor's session began, and its ID token; undefined for a password. */
  async providedBy(actor: Actor): Promise<{ provider: SignInProvider; idToken: string } | undefined> {
    const origin = await findSessionOrigin(forkInTransaction(this.em), actor.session ?? 0);
    if (!origin) return undefined;
    const idToken = this.secrets.open(origin.sealedIdToken, ID_TOKEN_PURPOSE);
    return idToken === undefined ? undefined : { provider: origin.provider, idToken };
  }

  /** Ends the session that authenticated the actor, unless it has ended meanwhile. */
  async end(actor: Actor): Promise<void> {
    const ended = inTransaction(this.em, actor, (em) => endSession(em, actor, String(actor.session)));
    await this.cache.forgetAfter(ended).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
    });
  }

  /** Deletes the cookie in the browser. */
  clearCookie({ origin }: ApiRequest, response: Response): void {
    clearSessionCookie(response, origin);
  }

  private setCookie({ origin }: ApiRequest, response: Response, id: string): void {
    setSessionCookie(response, origin, id, this.limits.maximumHours);
  }
}
