import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import {
  createWebhookConfig,
  removeWebhookConfig,
  updateWebhookConfig,
} from '#domain/notifications/webhook/webhook-config.commands.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeWebhookConfig, CreateWebhookConfig } from './webhooks.dto.js';

@Injectable()
export class WebhookConfigsService extends ResourceService {
  create(actor: Actor, webhook: string, input: CreateWebhookConfig, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createWebhookConfig(em, actor, webhook, input));
  }

  update(
    actor: Actor,
    webhook: string,
    id: string,
    changes: ChangeWebhookConfig,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateWebhookConfig(em, actor, webhook, id, changes));
  }

  remove(actor: Actor, webhook: string, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeWebhookConfig(em, actor, webhook, id));
  }
}
