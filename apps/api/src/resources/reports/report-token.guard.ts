import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Problem } from '../../http/errors/problem.js';
import { requestOf } from '../../http/request.js';
import { ReportsService } from './reports.service.js';

/** Takes the short-lived token of `/users/me/auth-token/`, with `Bearer` or, as Cube's own clients send it, bare. */
@Injectable()
export class ReportTokenGuard implements CanActivate {
  constructor(private readonly reports: ReportsService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const header = request.headers.authorization;
    if (header === undefined) throw new Problem(403, "Authorization header isn't set");
    const actor = await this.reports.ownerOf(header.replace(/^\s*Bearer\s+/i, '').trim());
    if (!actor) throw new Problem(403, 'Invalid token');
    request.actor = actor;
    return true;
  }
}
