import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction, forkInTransaction } from '#domain/kernel/transaction.js';
import { testWebhook, type WebhookTestResult, type TestSettings } from '#domain/notifications/webhook/test-webhook.js';
import {
  createWebhook,
  removeWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookDependencies,
  type WebhookWithSecret,
} from '#domain/notifications/webhook/webhook.commands.js';
import { WebhookSender } from '#domain/notifications/webhook/webhook.sender.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import { publicOrigin } from '#platform/public-origin.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeWebhook, CreateWebhook } from './webhooks.dto.js';

@Injectable()
export class WebhooksService extends ResourceService {
  private readonly dependencies: WebhookDependencies;
  private readonly testSettings: TestSettings;

  constructor(em: EntityManager, reads: Reads, settings: Settings, secrets: SecretBox, sender: WebhookSender) {
    super(em, reads);
    this.dependencies = { hosts: settings.webhookHosts, secrets };
    this.testSettings = { sender, pace: settings.webhookPaceMilliseconds, origin: publicOrigin(settings) };
  }

  create(actor: Actor, input: CreateWebhook, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, actor, async (em) =>
      this.withSecret(em, await createWebhook(em, actor, input, this.dependencies), readRequest),
    );
  }

  rotateSecret(actor: Actor, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, actor, async (em) =>
      this.withSecret(em, await rotateWebhookSecret(em, actor, id, this.dependencies), readRequest),
    );
  }

  update(actor: Actor, id: string, changes: ChangeWebhook, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateWebhook(em, actor, id, changes, this.dependencies));
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeWebhook(em, actor, id));
  }

  test(actor: Actor, id: string): Promise<WebhookTestResult> {
    return testWebhook(forkInTransaction(this.em), actor, id, this.testSettings);
  }

  /** The webhook with its new secret, if it has one: it is never returned again. */
  private withSecret(
    em: EntityManager,
    { id, secret }: WebhookWithSecret,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.readWith(em, id, secret === undefined ? {} : { secret }, readRequest);
  }
}
