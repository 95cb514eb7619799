import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiResponse, type ApiResponseOptions, ApiSecurity } from '@nestjs/swagger';
import type { KnownFlag } from '#domain/access/flag/flags.js';
import type { Capability } from '#domain/projects/project-access/project-roles.js';
import type { Permission } from '#domain/kernel/permissions.js';
import { errorResponseOf } from '../routes/responses.js';

/** What a route requires of its caller besides valid credentials. */
export interface RequiredAccess {
  readonly permission?: Permission;
  readonly superUser?: boolean;
  readonly flag?: KnownFlag;
  /** What the caller's role in the project that the path names (`:project`, else `:id`) must allow. */
  readonly inProject?: Capability;
  /** The same, in the project that the item belongs to: only the command finds that, and demands it. */
  readonly inItsProject?: Capability;
  /** E-mail and password by HTTP Basic: besides tokens, or instead of them. */
  readonly basic?: 'also' | 'only';
  /**
   * The short-lived token of `/users/me/auth-token/`, instead of users' own. Its refusals are the route's to document.
   */
  readonly reportToken?: boolean;
}

/** The metadata key of a route's `RequiredAccess`; `null` is a public route. A route without either does not start. */
export const REQUIRED_ACCESS = Symbol('required access');

const conditions = ({ permission, superUser, flag, inProject, inItsProject }: RequiredAccess): string[] => [
  ...(permission ? [`the permission \`${permission}\``] : []),
  ...(superUser ? ['a super-user'] : []),
  ...(inProject
    ? [
        inProject === 'delete'
          ? 'the permission `delete_project`'
          : `a role in the project that allows \`${inProject}\``,
      ]
    : []),
  ...(inItsProject ? [`a role in its project that allows \`${inItsProject}\``] : []),
  ...(flag ? [`the feature flag \`${flag}\``] : []),
];

/** The document's names of the credentials that are taken. */
const securitiesOf = ({ basic, reportToken }: RequiredAccess): string[] =>
  reportToken ? ['report'] : [...(basic === 'only' ? [] : ['token']), ...(basic ? ['basic'] : [])];

const refusalsOf = (needed: readonly string[]): ApiResponseOptions[] => [
  errorResponseOf(401, 'Missing or invalid credentials.', 'Invalid token.'),
  ...(needed.length
    ? [
        errorResponseOf(
          403,
          `Requires ${needed.join(' and ')}. A rule may forbid it too; \`detail\` explains which.`,
          'This takes the permission "customize_content".',
        ),
      ]
    : []),
];

/** Sets a route's guards and their documentation together. */
export function Access(required: RequiredAccess = {}): MethodDecorator & ClassDecorator {
  const needed = conditions(required);
  return applyDecorators(
    SetMetadata(REQUIRED_ACCESS, required),
    ...securitiesOf(required).map((name) => ApiSecurity(name)),
    ...(required.reportToken ? [] : refusalsOf(needed)).map((response) => ApiResponse(response)),
  );
}

/** Opens a route to everyone. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(REQUIRED_ACCESS, null);
