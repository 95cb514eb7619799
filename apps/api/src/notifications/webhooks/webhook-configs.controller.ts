import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { webhookConfigProjection } from '#domain/notifications/webhook/webhook-config.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { WebhookConfigsService } from './webhook-configs.service.js';
import { WITHIN_WEBHOOK } from './webhooks.controller.js';
import { ChangeWebhookConfig, CreateWebhookConfig } from './webhooks.dto.js';

@ApiTags('Webhooks')
@InFamily('notifications')
@Controller('webhooks/:webhook/configs')
export class WebhookConfigsController {
  constructor(private readonly configs: WebhookConfigsService) {}

  @List(webhookConfigProjection, { within: WITHIN_WEBHOOK, summary: 'List the events that a webhook delivers' })
  @Access({ superUser: true, flag: 'Webhooks' })
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.configs.list(readRequest);
  }

  @Item(webhookConfigProjection, { within: WITHIN_WEBHOOK, summary: 'Show a configuration' })
  @Access({ superUser: true, flag: 'Webhooks' })
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.configs.get(id, readRequest);
  }

  @Create(webhookConfigProjection, { within: WITHIN_WEBHOOK, status: 201, summary: 'Add an event to a webhook' })
  @Access({ superUser: true, flag: 'Webhooks' })
  create(
    @Caller() actor: Actor,
    @Param('webhook') webhook: string,
    @Body() body: CreateWebhookConfig,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.configs.create(actor, webhook, body, readRequest);
  }

  @Change(webhookConfigProjection, { within: WITHIN_WEBHOOK, summary: 'Change a configuration' })
  @Access({ superUser: true, flag: 'Webhooks' })
  update(
    @Caller() actor: Actor,
    @Param('webhook') webhook: string,
    @Param('id') id: string,
    @Body() body: ChangeWebhookConfig,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.configs.update(actor, webhook, id, body, readRequest);
  }

  @Remove(webhookConfigProjection, { within: WITHIN_WEBHOOK, summary: 'Delete a configuration' })
  @Access({ superUser: true, flag: 'Webhooks' })
  remove(@Caller() actor: Actor, @Param('webhook') webhook: string, @Param('id') id: string) {
    return this.configs.remove(actor, webhook, id);
  }
}
