import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { workflowPromptProjection } from '#domain/library/workflow-prompt/workflow-prompt.projection.js';
import { workflowPromptContextProjection } from '#domain/library/workflow-prompt/workflow-prompt-context.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { WorkflowPromptContextsService } from './workflow-prompt-contexts.service.js';
import { ChangeWorkflowPromptContext, CreateWorkflowPromptContext } from './workflow-prompts.dto.js';

const PROMPT = [{ parameter: 'prompt', projection: workflowPromptProjection }];

@ApiTags('Workflow prompts')
@InFamily('library')
@Controller('library/workflow-prompts/:prompt/contexts')
export class WorkflowPromptContextsController {
  constructor(private readonly contexts: WorkflowPromptContextsService) {}

  @List(workflowPromptContextProjection, { within: PROMPT, summary: 'List the contexts of a workflow prompt' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.contexts.list(readRequest);
  }

  @Item(workflowPromptContextProjection, { within: PROMPT, summary: 'Show a context' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.contexts.get(id, readRequest);
  }

  @Create(workflowPromptContextProjection, { within: PROMPT, status: 201, summary: 'Create a context' })
  @Access({ permission: 'customize_content' })
  create(
    @Caller() actor: Actor,
    @Param('prompt') prompt: string,
    @Body() body: CreateWorkflowPromptContext,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.contexts.create(actor, prompt, body, readRequest);
  }

  @Change(workflowPromptContextProjection, { within: PROMPT, summary: 'Change a context' })
  @Access({ permission: 'customize_content' })
  update(
    @Caller() actor: Actor,
    @Param('prompt') prompt: string,
    @Param('id') id: string,
    @Body() body: ChangeWorkflowPromptContext,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.contexts.update(actor, prompt, id, body, readRequest);
  }

  @Remove(workflowPromptContextProjection, { within: PROMPT, summary: 'Delete a context' })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('prompt') prompt: string, @Param('id') id: string) {
    return this.contexts.remove(actor, prompt, id);
  }
}
