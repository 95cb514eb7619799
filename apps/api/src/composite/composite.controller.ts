import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access/access.decorator.js';
import { InFamily } from '../http/access/family.decorator.js';
import { type CompositeContext, CompositeRequestContext } from '../http/in-process/in-process-dispatcher.js';
import { Action } from '../http/routes/route.decorators.js';
import { CompositeRequest } from './composite.dto.js';
import { EXAMPLE_RESPONSES } from './composite.example.js';
import { CompositeService } from './composite.service.js';

const RESPONSE = {
  type: 'object',
  properties: {
    composite_response: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          reference_id: { type: 'string' },
          http_status_code: { type: 'integer' },
          body: {
            description: 'The body that the request would have received on its own; null if it is empty.',
          },
        },
        required: ['reference_id', 'http_status_code', 'body'],
      },
    },
  },
  required: ['composite_response'],
  // Shortened: real bodies are the same as those of separate requests.
  example: { composite_response: EXAMPLE_RESPONSES },
};

@ApiTags('Composite')
@InFamily(null)
@Controller('composite')
export class CompositeController {
  constructor(private readonly composite: CompositeService) {}

  @Action({
    method: 'POST',
    status: 200,
    responseSchema: RESPONSE,
    nonComposable: true,
    keyed: true,
    success: 'The status and the body of each request, in order. Some may have failed.',
    summary: 'Send several requests at once, by default in one transaction',
  })
  @Access()
  run(@CompositeRequestContext() context: CompositeContext, @Body() body: CompositeRequest) {
    return this.composite.run(context, body);
  }
}
