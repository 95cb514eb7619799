import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import {
  createdAt,
  key,
  references,
  textList,
  timestamp,
  uniqueIndex,
  updatedAt,
} from '../../kernel/schema/columns.js';
import { ownRows, rowsOf } from '../../kernel/schema/policies.js';
import type { ClaimNames, GroupMapping } from './identity-provider.fields.js';

/** An OpenID Connect provider that signs people in: docs/use/sign-in.md. */
export const IdentityProvider = defineEntity({
  name: 'IdentityProvider',
  tableName: 'identity_provider',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    name: p.text(),
    issuer: p.text(),
    clientId: p.text(),
    /** Encrypted: see SecretBox. Empty for a client without a secret. */
    sealedClientSecret: p.text(),
    scopes: textList(),
    createUsers: p.boolean().default(false),
    defaultRoleId: references('global_role'),
    domains: textList(),
    active: p.boolean().default(true),
    claims: p.json<ClaimNames>(),
    groupMappings: p.json<readonly GroupMapping[]>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [uniqueIndex('identity_provider_name', 'identity_provider (organization_id, lower(name))')],
});

export type IdentityProvider = InferEntity<typeof IdentityProvider>;

/** A sign-in that a browser has begun with a provider. What protects it is derived from a secret in a cookie. */
export const SignInAttempt = defineEntity({
  name: 'SignInAttempt',
  tableName: 'sign_in_attempt',
  ...rowsOf({ provider_id: 'identity_provider' }),
  properties: {
    /** Of the parameter `state`. */
    stateHash: p.blob().primary(),
    /** Of the secret in the cookie of the browser. */
    browserHash: p.blob(),
    providerId: references('identity_provider', { onDelete: 'cascade' }),
    returnTo: p.text(),
    /** Of the secret of the invitation that the person accepts with it. */
    invitationHash: p.blob().nullable(),
    /** The session that the person confirms with it, instead of starting another one. */
    sessionId: references('user_session', { onDelete: 'cascade' }).nullable(),
    expiresAt: timestamp(),
  },
  indexes: [
    { name: 'sign_in_attempt_expiry', properties: ['expiresAt'] },
    { name: 'sign_in_attempt_provider', properties: ['providerId'] },
    { name: 'sign_in_attempt_session', properties: ['sessionId'] },
  ],
});
