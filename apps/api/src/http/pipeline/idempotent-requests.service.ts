import { createHash } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import {
  claimIdempotencyKey,
  keepResponse,
  KEPT_RESPONSE_PURPOSE,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_KEPT_RESPONSE_BYTES,
} from '#domain/access/idempotency/idempotency-key.commands.js';
import type { Actor } from '#domain/kernel/actor.js';
import { isLimited } from '#domain/kernel/token-scopes.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { PrincipalCache } from '../access/principal-cache.js';
import { sendUncompressed } from '../compression.js';
import { ErrorResponse } from '../errors/error-response.js';
import { JsonParts, JsonText } from '../listing/responses.js';
import { BodyContent } from '../media/body-content.js';
import type { ApiRequest } from '../request.js';
import type { RouteDeclaration } from '../routes/route.decorators.js';

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('base64url');

/** A token must not get the response to a request of another one that has more scopes. */
const limitsOf = (actor: Actor): string[] =>
  isLimited(actor) ? [JSON.stringify([[...(actor.scopes ?? [])].sort(), actor.projects ?? null])] : [];

/** The JSON text of a response; undefined if it is a file or a stream. */
function jsonOf(result: unknown): string | undefined {
  if (result === undefined) return '';
  if (result instanceof JsonText) return result.text;
  if (result instanceof JsonParts) return Buffer.concat(result.parts).toString();
  // Files and streams are instances of classes.
  return Object.getPrototypeOf(result) === Object.prototype ? JSON.stringify(result) : undefined;
}

/** The text of a response that is kept. Throws a 400 or 413 if it can't be kept. */
function keptText(result: unknown): string {
  const text = jsonOf(result);
  if (text === undefined) throw notRepeatable();
  if (Buffer.byteLength(text) <= MAX_KEPT_RESPONSE_BYTES) return text;
  throw new ErrorResponse(
    413,
    `With an Idempotency-Key, a response may have at most ${MAX_KEPT_RESPONSE_BYTES} bytes. Nothing was changed.`,
  );
}

const notRepeatable = (): ErrorResponse =>
  new ErrorResponse(400, 'This request does not accept an Idempotency-Key. Send it without that header.');

/**
 * Runs a POST with an `Idempotency-Key` at most once: key, change and response are committed together, and the same
 * request with the same key gets the first response. See docs/adr/0053-idempotency-keys.md.
 */
@Injectable()
export class IdempotentRequests {
  constructor(
    private readonly em: EntityManager,
    private readonly secrets: SecretBox,
    private readonly principals: PrincipalCache,
  ) {}

  /** Runs `perform`, or returns the response of an earlier request. Without a key it only runs `perform`. */
  async run(
    route: RouteDeclaration,
    request: ApiRequest,
    response: Response,
    perform: () => Promise<unknown>,
  ): Promise<unknown> {
    const { actor, body, method } = request;
    const key = request.get('idempotency-key');
    if (key === undefined || method !== 'POST') return perform();
    if (!route.keyed || !actor || !(body instanceof BodyContent)) throw notRepeatable();
    if (key === '' || key.length > MAX_IDEMPOTENCY_KEY_LENGTH)
      throw new ErrorResponse(400, `An Idempotency-Key has 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters.`);
    const [path = '', query = ''] = request.originalUrl.split('?', 2);
    const hashes = {
      keyHash: hashOf(method, path, key, ...limitsOf(actor)),
      requestHash: hashOf(query, body.digest()),
    };
    return this.principals.forgetAgainAfter(
      inTransaction(this.em, actor, (em) => this.once(em, actor, hashes, response, perform)),
    );
  }

  private async once(
    em: EntityManager,
    actor: Actor,
    hashes: { readonly keyHash: string; readonly requestHash: string },
    response: Response,
    perform: () => Promise<unknown>,
  ): Promise<unknown> {
    const earlier = await claimIdempotencyKey(em, actor, hashes);
    if (!earlier) {
      const result = await perform();
      const sealed = this.secrets.seal(keptText(result), KEPT_RESPONSE_PURPOSE);
      await keepResponse(em, actor, hashes.keyHash, { status: response.statusCode, sealed });
      return result;
    }
    if (earlier.request_hash !== hashes.requestHash)
      throw new ErrorResponse(409, 'This Idempotency-Key was used for another request. Use a new key.');
    const text = this.secrets.open(earlier.sealed_response, KEPT_RESPONSE_PURPOSE);
    if (text === undefined)
      throw new ErrorResponse(409, 'The request was executed, but its response can no longer be decrypted.');
    // It may contain a secret.
    sendUncompressed(response);
    response.status(earlier.status);
    return text === '' ? undefined : new JsonText(text);
  }
}
