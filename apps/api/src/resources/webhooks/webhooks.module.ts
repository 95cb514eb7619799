import { Module } from '@nestjs/common';
import { WebhookConfigsController } from './webhook-configs.controller.js';
import { WebhookConfigsService } from './webhook-configs.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  controllers: [WebhooksController, WebhookConfigsController],
  providers: [WebhooksService, WebhookConfigsService],
})
export class WebhooksModule {}
