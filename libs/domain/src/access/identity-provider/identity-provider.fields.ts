import type { InputOf } from '../../kernel/fields/field.js';
import {
  boolean,
  choice,
  line,
  numericReference,
  object,
  objectList,
  reference,
  stringList,
} from '../../kernel/fields/fields.js';
import { PROJECT_ROLES } from '../../kernel/permissions.js';
import { DEFAULT_ROLE } from '../role/role.rules.js';
import {
  DEFAULT_CLAIMS,
  DEFAULT_SCOPES,
  domainError,
  issuerError,
  MAX_GROUP_MAPPINGS,
  MAX_ISSUER_LENGTH,
  scopeError,
} from './identity-provider.rules.js';

const claim = (name: keyof typeof DEFAULT_CLAIMS) =>
  line({
    maximum: 200,
    optional: true,
    default: DEFAULT_CLAIMS[name],
    example: DEFAULT_CLAIMS[name],
  });

const claimFields = {
  email: claim('email'),
  first_name: claim('first_name'),
  last_name: claim('last_name'),
  groups: claim('groups'),
};

/** The claims that a provider's tokens have for each of these. */
export type ClaimNames = Required<InputOf<typeof claimFields>>;

const groupMappingFields = {
  group: line({ maximum: 500, description: 'A group, as the claim contains it.', example: 'developers' }),
  role: reference('global_role', { optional: true, description: 'A global role for its members.', example: 'UR2' }),
  merlon_group: reference('user_group', { optional: true, description: 'A group for its members.', example: 'G1' }),
  project_role: choice(PROJECT_ROLES, {
    optional: true,
    description: 'A role for its members in all projects of `business_unit`.',
    example: 'PR4',
  }),
  business_unit: numericReference({ optional: true, description: 'For `project_role`.', example: 1 }),
};

/** What the members of a group of the provider get. */
export type GroupMapping = InputOf<typeof groupMappingFields>;

export const identityProviderFields = {
  name: line({
    maximum: 100,
    description: 'Unique within the organization, ignoring case. Sign-in pages show it.',
    example: 'Example Ltd.',
  }),
  issuer: line({
    maximum: MAX_ISSUER_LENGTH,
    validate: issuerError,
    description:
      'The issuer, exactly as the provider publishes it below `/.well-known/openid-configuration`. If you change it, ' +
      'send the client secret again.',
    example: 'https://login.example.com/realms/example',
  }),
  client_id: line({ maximum: 500, example: 'merlon' }),
  client_secret: line({
    maximum: 2000,
    optional: true,
    nullable: true,
    format: 'password',
    description: 'Stored encrypted, and never returned. null removes it.',
    example: 'c2VjcmV0LW9mLXRoZS1jbGllbnQ',
  }),
  scopes: stringList({
    maximum: 200,
    longest: 50,
    blank: false,
    validate: scopeError,
    optional: true,
    default: DEFAULT_SCOPES,
    description: 'The scopes that a sign-in requests; `openid` is always one of them.',
    example: DEFAULT_SCOPES,
  }),
  create_users: boolean({
    optional: true,
    default: false,
    description: 'Whether people without an account get one when they sign in.',
  }),
  default_role: reference('global_role', {
    optional: true,
    default: DEFAULT_ROLE,
    description: 'The global role of people to whom no mapping gives another one.',
    example: DEFAULT_ROLE,
  }),
  domains: stringList({
    maximum: 253,
    longest: 100,
    blank: false,
    validate: domainError,
    optional: true,
    default: [],
    description:
      'The domains of the e-mail addresses that this provider verifies. Existing accounts are only linked within ' +
      'them. Empty: new accounts may have any address.',
    example: ['example.com'],
  }),
  active: boolean({ optional: true, default: true, description: 'Whether people can sign in with it.' }),
  claims: object('ClaimNames', claimFields, {
    optional: true,
    description: 'The names of the claims that are read.',
  }),
  group_mappings: objectList('GroupMapping', groupMappingFields, {
    longest: MAX_GROUP_MAPPINGS,
    optional: true,
    description:
      'What members of groups get: exactly one of `role`, `merlon_group`, and `project_role` with `business_unit` ' +
      'each. If several roles match, in the organization or in one business unit, the first one counts.',
  }),
};

export type IdentityProviderInput = InputOf<typeof identityProviderFields>;
