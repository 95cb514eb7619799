import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type Actor, may } from '#domain/kernel/actor.js';
import { PERMISSIONS } from '#domain/kernel/permissions.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';
import { findCredentialDetails } from '#domain/access/session/session-owner.js';
import { userProjection } from '#domain/access/user/user.projection.js';
import { type Schema, integer, list, nullable, object, string, timestamp } from '#query/schema.js';
import { Reads } from '../../http/listing/reads.service.js';
import { reference } from '../../http/routes/schemas.js';

/** Who calls, with which credential: the token's number, the actor's session, or neither with a password. */
export interface IdentifiedCaller {
  readonly actor: Actor;
  readonly token: number | undefined;
}

/** Schemas of the fields. */
export const CALLER_DETAILS: Readonly<Record<string, Schema>> = {
  user: reference(userProjection) as Schema,
  organization: object({ id: integer({ example: 1 }), name: string({ example: 'Example Ltd.' }) }),
  permissions: list(string({ enum: PERMISSIONS }), {
    description: "The caller's global permissions.",
    example: ['customize_content'],
  }),
  flags: list(string(), { description: 'The feature flags that are on.', example: ['Webhooks'] }),
  credential: string({ enum: ['session', 'token', 'basic'], example: 'session' }),
  scopes: list(string(), { description: 'What the credential may be used for; `*` is everything.', example: ['*'] }),
  expires: nullable(
    timestamp({ description: 'When the credential expires; null: never. Every request with a session postpones it.' }),
  ),
};

/** Describes the caller of a request: who they are, what they may do, and for how long. */
@Injectable()
export class CallerDetails {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  async describe({ actor, token }: IdentifiedCaller, origin: string) {
    const em = forkInTransaction(this.em);
    const user = await this.reads.plainItem(String(actor.id), { projection: userProjection, scope: actor, origin }, em);
    const { organization, expires } = await findCredentialDetails(em, actor, token);
    return {
      user: JSON.parse(user.text) as object,
      organization,
      permissions: PERMISSIONS.filter((permission) => may(actor, permission)),
      flags: [...actor.flags].sort(),
      credential: actor.session !== undefined ? 'session' : token !== undefined ? 'token' : 'basic',
      scopes: [...(actor.scopes ?? ['*'])].sort(),
      expires,
    };
  }
}
