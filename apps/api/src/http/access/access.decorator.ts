import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiResponse, type ApiResponseOptions, ApiSecurity } from '@nestjs/swagger';
import type { KnownFlag } from '#domain/access/flag/flags.js';
import type { Capability } from '#domain/projects/project-access/project-roles.js';
import { NOT_CONFIRMED } from '#domain/access/session/session.rules.js';
import type { Permission } from '#domain/kernel/permissions.js';
import { errorResponseOf, FROM_ANOTHER_SITE } from '../routes/responses.js';

/** Requirements of a route for its caller, besides valid credentials. */
export interface RequiredAccess {
  readonly permission?: Permission;
  readonly superUser?: boolean;
  readonly flag?: KnownFlag;
  /** Capability that the caller's role must have in the project in the path (`:project`, else `:id`). */
  readonly inProject?: Capability;
  /** The same, in the project of the item: only the command knows that project, so the command checks it. */
  readonly inItsProject?: Capability;
  /**
   * Accepts e-mail and password by HTTP Basic, in addition to tokens and sessions; or instead of them, and then also
   * sessions that were confirmed a short time ago.
   */
  readonly basic?: 'also' | 'only';
  /** Accepts only sessions. */
  readonly session?: boolean;
  /** Needs no credentials, but must come from a page of the service, as a change with a session must. */
  readonly fromOwnPages?: boolean;
  /**
   * Accepts only the short-lived token of `/users/me/auth-token/`. The route documents its own authentication errors.
   */
  readonly reportToken?: boolean;
}

/** A route's required access; `null` marks a public route. Without either, the API does not start. */
export const AccessMetadata = Reflector.createDecorator<RequiredAccess | null | undefined>();

/** Temporary extension in the document, removed when it is finished: what an operation requires of its caller. */
export const REQUIREMENTS = 'x-requirements';

const requirementsOf = ({ permission, superUser, flag, inProject, inItsProject }: RequiredAccess): string[] => [
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

/** The name of the security scheme of sessions. */
export const SESSION_SCHEME = 'session';

/** The security schemes of the OpenAPI document that the route accepts. */
function securitiesOf({ basic, reportToken, session }: RequiredAccess): readonly string[] {
  if (reportToken) return ['report'];
  if (session) return [SESSION_SCHEME];
  return [...(basic === 'only' ? [] : ['token']), SESSION_SCHEME, ...(basic ? ['basic'] : [])];
}

const accessErrorsOf = (requirements: readonly string[], { basic }: RequiredAccess): ApiResponseOptions[] => [
  errorResponseOf(401, 'Missing or invalid credentials.', 'Invalid token.'),
  ...(basic === 'only'
    ? [errorResponseOf(403, 'The session was not confirmed in the last ten minutes.', NOT_CONFIRMED)]
    : []),
  ...(requirements.length
    ? [
        errorResponseOf(
          403,
          `Requires ${requirements.join(' and ')}. Other rules may also forbid it; \`detail\` names the reason.`,
          'Requires the permission "customize_content".',
        ),
      ]
    : []),
];

/** Sets a route's access requirements and their documentation together. */
export function Access(required: RequiredAccess = {}): MethodDecorator & ClassDecorator {
  const requirements = requirementsOf(required);
  return applyDecorators(
    AccessMetadata(required),
    ApiExtension(REQUIREMENTS, requirements.join(' and ')),
    ...securitiesOf(required).map((name) => ApiSecurity(name)),
    ...(required.reportToken ? [] : accessErrorsOf(requirements, required)).map((response) => ApiResponse(response)),
  );
}

/**
 * Allows everyone to call a route, but only from pages of the service: otherwise the page of another site could sign a
 * browser in as someone else.
 */
export const PublicFromOwnPages = (): MethodDecorator =>
  applyDecorators(AccessMetadata({ fromOwnPages: true }), ApiResponse(FROM_ANOTHER_SITE));

/** Allows everyone to call a route. */
export const Public = (): MethodDecorator & ClassDecorator => AccessMetadata(null);
