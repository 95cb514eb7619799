import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { authenticatedBy } from '#domain/activity/request-source.js';
import { type Actor, may } from '#domain/kernel/actor.js';
import { assertFlag } from '#domain/access/flag/flags.js';
import { assertInProject } from '#domain/projects/project-access/find-project.js';
import { Forbidden } from '#domain/kernel/domain-errors.js';
import { NOT_CONFIRMED } from '#domain/access/session/session.rules.js';
import { hasScope, isLimited } from '#domain/kernel/token-scopes.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';
import { notAuthenticated } from '../errors/error-response.js';
import { requestOf } from '../request.js';
import { RequestLimit } from '../shares/request-limit.js';
import { AccessLookups } from './access-lookups.service.js';
import { AccessMetadata } from './access.decorator.js';
import { Authentication } from './authentication.service.js';
import { declaredFamily, scopeFor } from './family.decorator.js';
import { ReportTokens } from './report-tokens.service.js';
import { assertOwnPage } from './same-origin.js';
import { Sessions } from './sessions.service.js';

/**
 * Authenticates the caller, counts the request, and checks the route's requirements. Routes are closed unless declared
 * otherwise.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: Authentication,
    private readonly reportTokens: ReportTokens,
    private readonly sessions: Sessions,
    private readonly limit: RequestLimit,
    private readonly lookups: AccessLookups,
    private readonly em: EntityManager,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const required = this.reflector.getAllAndOverride(AccessMetadata, [context.getHandler(), context.getClass()]);
    if (required === undefined)
      throw new Error(`${context.getClass().name}.${context.getHandler().name} does not declare its access.`);
    if (required === null) return true;
    const request = requestOf(context);
    const response = context.switchToHttp().getResponse<Response>();
    if (required.fromOwnPages) {
      assertOwnPage(request);
      return true;
    }
    const principal = await (required.reportToken
      ? this.reportTokens.authenticate(request)
      : this.authentication.authenticate(request, required.basic));
    const { actor, token, session } = principal;
    request.actor = actor;
    request.token = token;
    authenticatedBy(token ? 'token' : session ? 'session' : 'basic', token?.publicId);
    if (session) assertOwnPage(request);
    if (required.session && !session) throw notAuthenticated('This requires a session: sign in with a browser.');
    await this.limit.count(actor, response);
    if (session && required.basic === 'only' && !session.isConfirmed) throw new Forbidden(NOT_CONFIRMED);
    await this.sessions.renewIfOutdated(principal, request, response);
    this.assertScope(context, actor);
    if (required.flag) assertFlag(actor, required.flag);
    if (required.superUser && !actor.isSuperUser) throw new Forbidden('Only super-users may do this.');
    if (required.permission && !may(actor, required.permission))
      throw new Forbidden(`Requires the permission "${required.permission}".`);
    const { inProject } = required;
    if (inProject) {
      const { project, id } = request.params;
      // The 404 is thrown later: errors in the headers take precedence.
      request.isProjectHidden = !(await this.lookups.run(actor.organizationId, () =>
        assertInProject(forkInTransaction(this.em), actor, String(project ?? id), inProject),
      ));
    }
    return true;
  }

  /** Throws `Forbidden` if the caller's token does not have the scope for the route. */
  private assertScope(context: ExecutionContext, actor: Actor): void {
    if (!isLimited(actor)) return;
    const declared = declaredFamily(this.reflector, context.getHandler(), context.getClass());
    if (!declared || declared.family === null) return;
    const { family, onlyReads } = declared;
    const scope = scopeFor(family, requestOf(context).method, onlyReads);
    if (!scope || !hasScope(actor, scope)) throw new Forbidden(`Requires a token with the scope "${scope}".`);
    if (family === 'reports' && actor.projects)
      throw new Forbidden('A token that is limited to projects has no access to reports.');
  }
}
