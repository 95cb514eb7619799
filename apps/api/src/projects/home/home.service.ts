import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { hasScope } from '#domain/kernel/token-scopes.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';
import { type Home, MAX_HOME_ENTRIES, readHome } from '#domain/projects/home/home.js';
import { ownActivityProjection } from '#domain/projects/project-activity/project-activity.projection.js';
import { parseQuery } from '#query/parameters.js';
import { JsonText } from '../../http/listing/responses.js';
import { Reads } from '../../http/listing/reads.service.js';

@Injectable()
export class HomeService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  /** The start page of a user: their projects, and the latest activities of their own stream. */
  async show(actor: Actor): Promise<Home & { readonly activities: unknown }> {
    const em = forkInTransaction(this.em);
    const { work, projects, updates } = await readHome(em, actor);
    return { work, projects, activities: await this.latestActivities(actor, em), updates };
  }

  private async latestActivities(actor: Actor, em: EntityManager): Promise<readonly unknown[]> {
    if (!hasScope(actor, 'activity:read')) return [];
    const projection = ownActivityProjection;
    const query = parseQuery(projection, 'list', { page_size: String(MAX_HOME_ENTRIES) }, true);
    const page = await this.reads.list({ projection, scope: actor, query, origin: '', urlWith: () => '' }, em);
    if (!(page instanceof JsonText)) throw new Error('A page of a stream is one text.');
    return (JSON.parse(page.text) as { readonly results: readonly unknown[] }).results;
  }
}
