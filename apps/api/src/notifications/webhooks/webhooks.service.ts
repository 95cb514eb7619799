import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction, forkInTransaction } from '#domain/kernel/transaction.js';
import { tryWebhook, type TrialResult, type WebhookTrial } from '#domain/notifications/webhook/try-webhook.js';
import {
  createWebhook,
  removeWebhook,
  updateWebhook,
  type WebhookDependencies,
} from '#domain/notifications/webhook/webhook.commands.js';
import { WebhookSender } from '#domain/notifications/webhook/webhook.sender.js';
import { Secrets, Settings } from '#platform/injected.js';
import { publicOrigin } from '#platform/public-origin.js';
import type { JsonList, JsonText } from '../../http/listing/answer.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeWebhook, CreateWebhook } from './webhooks.dto.js';

@Injectable()
export class WebhooksService {
  private readonly means: WebhookDependencies;
  private readonly trial: WebhookTrial;

  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
    settings: Settings,
    secrets: Secrets,
    sender: WebhookSender,
  ) {
    this.means = { hosts: settings.webhookHosts, secrets };
    this.trial = { sender, pace: settings.webhookPaceMilliseconds, origin: publicOrigin(settings) };
  }

  list(actor: Actor, readRequest: ReadRequest): Promise<JsonList> {
    return this.reads.list(actor, readRequest);
  }

  get(actor: Actor, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(actor, id, readRequest);
  }

  create(actor: Actor, input: CreateWebhook, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, actor, async (em) => {
      const id = await createWebhook(em, actor, input, this.means);
      return this.reads.item(actor, id, readRequest, em);
    });
  }

  update(actor: Actor, id: string, changes: ChangeWebhook, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, actor, async (em) => {
      await updateWebhook(em, actor, id, changes, this.means);
      return this.reads.item(actor, id, readRequest, em);
    });
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeWebhook(em, actor, id));
  }

  test(actor: Actor, id: string): Promise<TrialResult> {
    return tryWebhook(forkInTransaction(this.em), actor, id, this.trial);
  }
}
