import { Controller, Req } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import { MAX_POSITION_LENGTH } from '#domain/notifications/event-stream/event-position.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import type { ApiRequest } from '../../http/request.js';
import { errorResponseOf } from '../../http/routes/responses.js';
import { Render } from '../../http/routes/route.decorators.js';
import { EventHub } from './event-hub.service.js';
import { EVENT_STREAM_TYPE, MAX_STREAMS_OF_USER } from './event-stream.js';

@ApiTags('Events')
@InFamily('activity')
@Controller('events')
export class EventsController {
  constructor(private readonly hub: EventHub) {}

  @Render({
    within: [],
    choices: {},
    content: {
      [EVENT_STREAM_TYPE]: {
        type: 'string',
        example: 'event: invalidate\ndata: {"kinds":["project_countermeasure"],"project":1}\n\n',
      },
    },
    responses: [
      errorResponseOf(
        429,
        `You have ${MAX_STREAMS_OF_USER} open streams already, or the service has too many.`,
        'Request was throttled. Expected available in 1 second.',
      ),
    ],
    success:
      'Events for as long as the stream is open: `activity`, `job` and `invalidate`, each with JSON as its data.',
    summary: 'Receive events: what happened, the progress of jobs, and what to read again',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The id of the last event that you received: the stream continues after it.',
    schema: { type: 'string', maxLength: MAX_POSITION_LENGTH },
  })
  @Access()
  open(@Req() request: ApiRequest) {
    return this.hub.open(request);
  }
}
