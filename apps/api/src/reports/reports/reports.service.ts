import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { dryRunOf, loadResponse, metaOf } from '#reporting/responses.js';
import type { CheckedQuery } from '#reporting/query.js';
import { JsonText } from '../../http/listing/responses.js';
import { Reports } from '../reports.js';

/** Passes requests in the format of Cube to the engine. */
@Injectable()
export class ReportsService {
  constructor(private readonly reports: Reports) {}

  meta(): object {
    return metaOf();
  }

  async load(actor: Actor, input: unknown): Promise<JsonText> {
    const checked = this.check(actor, input);
    return this.reports.run(
      actor,
      checked,
      (completed) => new JsonText(JSON.stringify(loadResponse(checked, completed))),
    );
  }

  async sql(actor: Actor, input: unknown): Promise<object> {
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
