import { Module } from '@nestjs/common';
import { AutomationController } from './automation/automation.controller.js';
import { AutomationService } from './automation/automation.service.js';
import { WebhookSender } from '#domain/notifications/webhook/webhook.sender.js';
import { Secrets, Settings } from '#platform/injected.js';
import { WebhookConfigsController } from './webhooks/webhook-configs.controller.js';
import { WebhookConfigsService } from './webhooks/webhook-configs.service.js';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './webhooks/webhook-deliveries.service.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

@Module({
  controllers: [AutomationController, WebhooksController, WebhookConfigsController, WebhookDeliveriesController],
  providers: [
    AutomationService,
    WebhooksService,
    WebhookConfigsService,
    WebhookDeliveriesService,
    {
      provide: WebhookSender,
      inject: [Settings, Secrets],
      useFactory: (settings: Settings, secrets: Secrets) => new WebhookSender(settings, secrets),
    },
  ],
})
export class NotificationsModule {}
