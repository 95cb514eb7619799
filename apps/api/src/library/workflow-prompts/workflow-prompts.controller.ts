import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { workflowPromptProjection } from '#domain/library/workflow-prompt/workflow-prompt.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeWorkflowPrompt, CreateWorkflowPrompt } from './workflow-prompts.dto.js';
import { WorkflowPromptsService } from './workflow-prompts.service.js';

@ApiTags('Workflow prompts')
@InFamily('library')
@Controller('library/workflow-prompts')
export class WorkflowPromptsController {
  constructor(private readonly prompts: WorkflowPromptsService) {}

  @List(workflowPromptProjection, { summary: 'List workflow prompts' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.prompts.list(readRequest);
  }

  @Item(workflowPromptProjection, { summary: 'Show a workflow prompt' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.prompts.get(id, readRequest);
  }

  @Create(workflowPromptProjection, { status: 201, summary: 'Create a workflow prompt' })
  @Access({ permission: 'customize_content' })
  create(@Caller() actor: Actor, @Body() body: CreateWorkflowPrompt, @ReadRequest() readRequest: ReadRequest) {
    return this.prompts.create(actor, body, readRequest);
  }

  @Change(workflowPromptProjection, { summary: 'Change a workflow prompt' })
  @Access({ permission: 'customize_content' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeWorkflowPrompt,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.prompts.update(actor, id, body, readRequest);
  }

  @Remove(workflowPromptProjection, { summary: 'Delete a workflow prompt, or restore a built-in one' })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.prompts.remove(actor, id);
  }
}
