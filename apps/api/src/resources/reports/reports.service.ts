import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type Actor, may } from '#domain/actor.js';
import { Forbidden } from '#domain/refusal.js';
import { findActiveActor } from '#domain/user/principal.js';
import { ShortTokens } from '#platform/crypto/short-token.js';
import { answerOf, comparedAnswer, dryRunOf, metaOf } from '#reporting/answer.js';
import { checkQuery } from '#reporting/check-query.js';
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
    return claims ? findActiveActor(this.em.fork(), claims.user, claims.organization) : null;
  }

  meta(): object {
    return metaOf();
  }

  async load(actor: Actor, input: unknown): Promise<object> {
    const { queries, compared } = this.check(actor, input);
    const answers = [];
    for (const query of queries) answers.push(answerOf(query, await this.reports.load(query, actor.organizationId)));
    return compared ? comparedAnswer(answers) : (answers[0] ?? {});
  }

  async sql(actor: Actor, input: unknown): Promise<object> {
    if (!actor.isSuperUser) throw new Forbidden('Only super-users see the SQL.');
    const [query] = this.check(actor, input).queries;
    if (!query) throw new Error('A checked query has a form.');
    const { text, values } = await this.reports.sql(query, actor.organizationId);
    return { sql: { sql: [text, values], order: query.order } };
  }

  dryRun(actor: Actor, input: unknown): object {
    return dryRunOf(this.check(actor, input));
  }

  /** The query, checked, and the caller's right to run it. */
  private check(actor: Actor, input: unknown): CheckedQuery {
    const checked = checkQuery(input, { schema: 'all' });
    const schema = checked.queries[0]?.schema;
    if (schema !== 'library' && !may(actor, 'view_all_projects'))
      throw new Forbidden(
        'This takes the permission "view_all_projects". Without it, only the schema "library" is open.',
      );
    return checked;
  }
}
