import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor.js';
import { sessionOf } from '#domain/transaction.js';
import { Forbidden } from '#domain/refusal.js';
import { findActiveActor } from '#domain/user/principal.js';
import { ShortTokens } from '#platform/crypto/short-token.js';
import { dryRunOf, loadAnswer, metaOf } from '#reporting/answer.js';
import type { CheckedQuery } from '#reporting/query.js';
import { Reports } from '../../reports.js';
import { Settings } from '../../settings.js';

const TOKEN_SECONDS = 60;

/** What is asked of the engine, in the format of Cube. */
@Injectable()
export class ReportsService {
  private readonly tokens: ShortTokens;

  constructor(
    private readonly em: EntityManager,
    private readonly reports: Reports,
    settings: Settings,
  ) {
    this.tokens = new ShortTokens(settings.secretKey ?? '', 'reports', TOKEN_SECONDS);
  }

  async newToken(actor: Actor): Promise<{ token: string }> {
    return { token: await this.tokens.sign({ user: actor.id, organization: actor.organizationId }) };
  }

  /** Whose token it is, or null where it is not valid or they are no longer active. */
  async ownerOf(token: string): Promise<Actor | null> {
    const claims = await this.tokens.verify(token);
    return claims ? findActiveActor(sessionOf(this.em), claims.user, claims.organization) : null;
  }

  meta(): object {
    return metaOf();
  }

  async load(actor: Actor, input: unknown): Promise<object> {
    const checked = this.check(actor, input);
    return loadAnswer(checked, await this.reports.run(actor, checked));
  }

  async sql(actor: Actor, input: unknown): Promise<object> {
    if (!actor.isSuperUser) throw new Forbidden('Only super-users see the SQL.');
    const [query] = this.check(actor, input).queries;
    if (!query) throw new Error('A checked query has a form.');
    const { text, values } = await this.reports.sql(actor, query);
    return { sql: { sql: [text, values], order: query.order } };
  }

  dryRun(actor: Actor, input: unknown): object {
    return dryRunOf(this.check(actor, input));
  }

  private check(actor: Actor, input: unknown): CheckedQuery {
    return this.reports.check(actor, input, { schema: 'all' });
  }
}
