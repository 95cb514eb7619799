import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { webhookProjection } from '#domain/notifications/webhook/webhook.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { SecretResponses } from '../../http/compression.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Action, Change, Create, Item, List, type PathItem, Remove } from '../../http/routes/route.decorators.js';
import { reference } from '../../http/routes/schemas.js';
import { ChangeWebhook, CreateWebhook } from './webhooks.dto.js';
import { WebhooksService } from './webhooks.service.js';

/** The webhook in the path, for routes within a webhook. */
export const WITHIN_WEBHOOK: readonly PathItem[] = [{ parameter: 'webhook', projection: webhookProjection }];

const TEST_RESPONSE = {
  type: 'object',
  required: ['success', 'response_status', 'error'],
  properties: {
    success: { type: 'boolean', example: true },
    response_status: { type: 'integer', nullable: true, description: 'The HTTP status of the response.', example: 200 },
    error: { type: 'string', nullable: true, description: 'Why the message was not delivered.', example: null },
  },
};

/** The secret, which is only returned by the requests that make one. */
const extraFields = ['secret'];
const responseWithSecret = (required: readonly string[]) => ({
  allOf: [
    reference(webhookProjection),
    {
      type: 'object',
      properties: {
        secret: {
          type: 'string',
          description: 'The secret that signs messages of the format `standard`. It is shown only once.',
          example: 'whsec_x3Zb0Yw8b1Jm5rQm7m0y7cQm4yX2h9pL6dT1sVfGk0E=',
        },
      },
      required,
    },
  ],
});

@ApiTags('Webhooks')
@SecretResponses()
@InFamily('notifications')
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @List(webhookProjection, { summary: 'List webhooks' })
  @Access({ superUser: true, flag: 'Webhooks' })
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.webhooks.list(readRequest);
  }

  @Item(webhookProjection, { summary: 'Show a webhook' })
  @Access({ superUser: true, flag: 'Webhooks' })
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.webhooks.get(id, readRequest);
  }

  @Create(webhookProjection, {
    status: 201,
    responseSchema: responseWithSecret([]),
    extraFields,
    summary: 'Create a webhook',
  })
  @Access({ superUser: true, flag: 'Webhooks' })
  create(@Caller() actor: Actor, @Body() body: CreateWebhook, @ReadRequest() readRequest: ReadRequest) {
    return this.webhooks.create(actor, body, readRequest);
  }

  @Change(webhookProjection, { fixed: ['integration_type', 'format'], summary: 'Change a webhook' })
  @Access({ superUser: true, flag: 'Webhooks' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeWebhook,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.webhooks.update(actor, id, body, readRequest);
  }

  @Create(webhookProjection, {
    path: ':id/rotate-secret',
    status: 200,
    responseSchema: responseWithSecret(extraFields),
    extraFields,
    within: [{ parameter: 'id', projection: webhookProjection }],
    summary: 'Replace the secret of a webhook: for 24 hours, the previous one signs as well',
  })
  @Access({ superUser: true, flag: 'Webhooks' })
  rotateSecret(@Caller() actor: Actor, @Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.webhooks.rotateSecret(actor, id, readRequest);
  }

  @Action({
    method: 'POST',
    path: ':id/test',
    status: 200,
    nonComposable: true,
    items: [{ parameter: 'id', projection: webhookProjection }],
    success: 'The result of the delivery: whether the receiver accepted the message.',
    summary: 'Send a test message now, and report the result',
    responseSchema: TEST_RESPONSE,
  })
  @Access({ superUser: true, flag: 'Webhooks' })
  test(@Caller() actor: Actor, @Param('id') id: string) {
    return this.webhooks.test(actor, id);
  }

  @Remove(webhookProjection, { summary: 'Delete a webhook, its configurations and its deliveries' })
  @Access({ superUser: true, flag: 'Webhooks' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.webhooks.remove(actor, id);
  }
}
