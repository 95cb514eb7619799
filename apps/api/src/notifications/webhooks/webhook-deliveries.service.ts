import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { redeliver } from '#domain/notifications/webhook/delivery.commands.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';

@Injectable()
export class WebhookDeliveriesService extends ResourceService {
  redeliver(actor: Actor, webhook: string, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => redeliver(em, actor, webhook, id));
  }
}
