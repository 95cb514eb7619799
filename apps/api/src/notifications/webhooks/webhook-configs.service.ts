import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import {
  createWebhookConfig,
  removeWebhookConfig,
  updateWebhookConfig,
} from '#domain/notifications/webhook/webhook-config.commands.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeWebhookConfig, CreateWebhookConfig } from './webhooks.dto.js';

@Injectable()
export class WebhookConfigsService {
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

  create(actor: Actor, webhook: string, input: CreateWebhookConfig, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createWebhookConfig(em, actor, webhook, input);
      return this.reads.item(within(actor, webhook), id, readRequest, em);
    });
  }

  update(
    actor: Actor,
    webhook: string,
    id: string,
    changes: ChangeWebhookConfig,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateWebhookConfig(em, actor, webhook, id, changes);
      return this.reads.item(within(actor, webhook), id, readRequest, em);
    });
  }

  remove(actor: Actor, webhook: string, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeWebhookConfig(em, actor, webhook, id));
  }
}
