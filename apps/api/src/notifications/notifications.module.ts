import { Module } from '@nestjs/common';
import { WebhookSender } from '#domain/notifications/webhook/webhook.sender.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import { AutomationController } from './automation/automation.controller.js';
import { AutomationService } from './automation/automation.service.js';
import { EventHub } from './events/event-hub.service.js';
import { EventsController } from './events/events.controller.js';
import { WebhookConfigsController } from './webhooks/webhook-configs.controller.js';
import { WebhookConfigsService } from './webhooks/webhook-configs.service.js';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './webhooks/webhook-deliveries.service.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

/** Everything that tells others of changes: webhooks, automation, and the stream of events. */
@Module({
  controllers: [
    AutomationController,
    EventsController,
    WebhooksController,
    WebhookConfigsController,
    WebhookDeliveriesController,
  ],
  providers: [
    AutomationService,
    EventHub,
    WebhookConfigsService,
    WebhookDeliveriesService,
    WebhooksService,
    {
      provide: WebhookSender,
      inject: [Settings, SecretBox],
      useFactory: (settings: Settings, secrets: SecretBox) => new WebhookSender(settings, secrets),
    },
  ],
})
export class NotificationsModule {}
