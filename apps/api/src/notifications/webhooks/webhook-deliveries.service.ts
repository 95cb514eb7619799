import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { redeliver } from '#domain/notifications/webhook/delivery.commands.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';

@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, webhook: string, readRequest: ReadRequest): Promise<JsonText | JsonStream> {
    return this.reads.list(within(actor, webhook), readRequest);
  }

  get(actor: Actor, webhook: string, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(within(actor, webhook), id, readRequest);
  }

  redeliver(actor: Actor, webhook: string, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await redeliver(em, actor, webhook, id);
      return this.reads.item(within(actor, webhook), id, readRequest, em);
    });
  }
}
