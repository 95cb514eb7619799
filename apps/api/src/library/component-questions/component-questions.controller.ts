import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { componentQuestionProjection } from '#domain/library/component/component-question.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { Item, List } from '../../http/routes/route.decorators.js';

@ApiTags('Components')
@Controller('library/componentquestions')
export class ComponentQuestionsController {
  constructor(private readonly reads: Reads) {}

  @List(componentQuestionProjection, { summary: 'List the questions that components ask' })
  @Access()
  list(@Caller() actor: Actor, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(actor, readRequest);
  }

  @Item(componentQuestionProjection, { summary: 'Show a question that components ask' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.item(actor, id, readRequest);
  }
}
