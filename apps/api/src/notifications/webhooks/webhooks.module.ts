import { Module } from '@nestjs/common';
import { WebhookSender } from '#domain/notifications/webhook/webhook.sender.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import { WebhookConfigsController } from './webhook-configs.controller.js';
import { WebhookConfigsService } from './webhook-configs.service.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  controllers: [WebhooksController, WebhookConfigsController, WebhookDeliveriesController],
  providers: [
    WebhooksService,
    WebhookConfigsService,
    WebhookDeliveriesService,
    {
      provide: WebhookSender,
      inject: [Settings, SecretBox],
      useFactory: (settings: Settings, secrets: SecretBox) => new WebhookSender(settings, secrets),
    },
  ],
})
export class WebhooksModule {}
