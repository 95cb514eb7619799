import type { NextFunction, Request, Response } from 'express';
import { SIGN_IN_MINUTES } from '#domain/access/identity-provider/identity-provider.rules.js';
import { newSecret } from '#platform/crypto/token.js';
import { escapeHtml } from '#platform/markdown/plain-text.js';
import { clientOf } from '../../http/access/client.js';
import {
  clearCookie,
  INVITATION_COOKIE,
  readCookie,
  setCookie,
  SIGN_IN_COOKIE,
} from '../../http/access/session-cookie.js';
import { Sessions } from '../../http/access/sessions.service.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { passingFailureOf } from '../../http/errors/error.filter.js';
import { pageSender } from '../../http/pages.js';
import type { ApiRequest } from '../../http/request.js';
import { OidcSignIn } from './oidc-sign-in.service.js';
import { SignInFailure } from '../sign-in-failure.js';
import { ownPath } from '../provider-paths.js';

const CALLBACK = '/auth/oidc/callback';

const send = pageSender();

/** The page of a sign-in that failed. */
function sendFailure(request: ApiRequest, response: Response, status: number, reason: string): void {
  const body = `<p>${escapeHtml(reason)}</p>
<p>If you need help, give an administrator the time and the number of this request:
<code>${escapeHtml(request.id)}</code>.</p>
<p><a href="../../">Back to Merlon</a></p>`;
  send(response.status(status), { title: 'Sign-in failed', body });
}

/** Answers a failure with a page, because a person is looking at it. Unexpected errors are passed on. */
function respondToFailure(error: unknown, request: ApiRequest, response: Response, next: NextFunction): void {
  const failure = error instanceof ErrorResponse ? error : passingFailureOf(error);
  if (error instanceof SignInFailure) return sendFailure(request, response, 403, error.message);
  if (!failure) return next(error);
  sendFailure(request, response.set(failure.headers ?? {}), failure.status, failure.detail);
}

/** The session of the browser, which began with this provider. Throws `SignInFailure`. */
async function sessionToConfirm(request: ApiRequest, sessions: Sessions): Promise<number | undefined> {
  const principal = await sessions.current(request, clientOf(request));
  const provided = principal && (await sessions.providedBy(principal.actor));
  if (String(provided?.provider.id) !== request.params.provider)
    throw new SignInFailure('You have no session that began with this identity provider. Please sign in.');
  return principal?.actor.session;
}

/**
 * Serves the addresses that browsers visit to sign in with a provider. They are no controllers: they redirect, or show
 * a page to a person.
 */
export function serveOidcPages(
  router: { get(path: string, handler: unknown): unknown },
  signIn: OidcSignIn,
  sessions: Sessions,
): void {
  const page =
    (visit: (request: ApiRequest, response: Response) => Promise<string>) =>
    (incoming: Request, response: Response, next: NextFunction): void => {
      const request = incoming as unknown as ApiRequest;
      visit(request, response).then(
        (location) => response.set('Location', location).status(302).end(),
        (error: unknown) => respondToFailure(error, request, response, next),
      );
    };

  router.get(
    '/auth/oidc/:provider/start',
    page(async (request, response) => {
      const session = request.query.confirm === undefined ? undefined : await sessionToConfirm(request, sessions);
      // Sign-ins in several tabs share the secret.
      const browser = readCookie(request, SIGN_IN_COOKIE) || newSecret();
      const url = await signIn.begin(String(request.params.provider), clientOf(request), {
        browser,
        redirectUri: request.origin + CALLBACK,
        returnTo: ownPath(request.query.return_to),
        invitation: session === undefined ? readCookie(request, INVITATION_COOKIE) || undefined : undefined,
        session,
      });
      clearCookie(response, request.origin, INVITATION_COOKIE);
      setCookie(response, request.origin, SIGN_IN_COOKIE, browser, SIGN_IN_MINUTES * 60_000);
      return url.href;
    }),
  );

  router.get(
    CALLBACK,
    page(async (request, response) => {
      const callback = new URL(request.origin + CALLBACK);
      callback.search = new URL(request.originalUrl, request.origin).search;
      const client = clientOf(request);
      const browser = readCookie(request, SIGN_IN_COOKIE) ?? '';
      const current = (await sessions.current(request, client))?.actor;
      const { actor, returnTo, isConfirmation, ...provided } = await signIn.complete(
        callback,
        browser,
        client,
        current,
      );
      if (isConfirmation) await sessions.confirm(actor, request, response, provided.idToken);
      else await sessions.start(actor, client, request, response, provided);
      return request.origin + returnTo;
    }),
  );
}
