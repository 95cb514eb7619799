import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { deliveryProjection } from '#domain/notifications/webhook/delivery.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Create, Item, List } from '../../http/routes/route.decorators.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WITHIN_WEBHOOK } from './webhooks.controller.js';

@ApiTags('Webhooks')
@InFamily('notifications')
@Controller('webhooks/:webhook/deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @List(deliveryProjection, { within: WITHIN_WEBHOOK, summary: 'List the deliveries of a webhook, newest first' })
  @Access({ superUser: true, flag: 'Webhooks' })
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.deliveries.list(readRequest);
  }

  @Item(deliveryProjection, { within: WITHIN_WEBHOOK, summary: 'Show a delivery' })
  @Access({ superUser: true, flag: 'Webhooks' })
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.deliveries.get(id, readRequest);
  }

  @Create(deliveryProjection, {
    path: ':id/redeliver',
    within: [...WITHIN_WEBHOOK, { parameter: 'id', projection: deliveryProjection }],
    status: 202,
    summary: 'Send a delivery again now',
  })
  @Access({ superUser: true, flag: 'Webhooks' })
  redeliver(
    @Caller() actor: Actor,
    @Param('webhook') webhook: string,
    @Param('id') id: string,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.deliveries.redeliver(actor, webhook, id, readRequest);
  }
}
