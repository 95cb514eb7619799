import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { AUTOMATION_EVENTS } from '#domain/notifications/automation/trigger-event.fields.js';
import { assertMayTrigger } from '#domain/notifications/automation/trigger-event.js';
import * as schema from '#query/schema.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { Caller } from '../../http/request.js';
import { allowedInBodyProject } from '../../http/routes/preconditions.js';
import { errorResponseOf } from '../../http/routes/responses.js';
import { Action } from '../../http/routes/route.decorators.js';
import { TriggerEvent } from './automation.dto.js';
import { AutomationService } from './automation.service.js';

const RESPONSE = schema.object({
  id: schema.integer({ description: 'The activity that records the event.', example: 4711 }),
  event: schema.string({ enum: AUTOMATION_EVENTS }),
  status: schema.string({ enum: ['accepted'] }),
});

/** Events that a pipeline or a script sends to the service. */
@ApiTags('Automation')
@InFamily('projects')
@Controller('automation')
export class AutomationController {
  constructor(private readonly automation: AutomationService) {}

  @Action({
    method: 'POST',
    path: 'trigger-event',
    status: 202,
    success: 'The event is recorded. A worker processes it soon.',
    summary: 'Trigger an event; a worker processes it',
    responseSchema: RESPONSE,
    preconditions: async (em, actor, id, body) => {
      assertMayTrigger(actor, body['event']);
      if (body['event'] === 'project_refresh') await allowedInBodyProject('survey')(em, actor, id, body);
    },
    responses: [
      errorResponseOf(403, 'Requires the permission for `event`.', 'Requires the permission "customize_content".'),
    ],
  })
  @Access()
  trigger(@Caller() actor: Actor, @Body() body: TriggerEvent) {
    return this.automation.trigger(actor, body);
  }
}
