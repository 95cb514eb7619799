import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { workflowPromptProjection } from '#domain/library/workflow-prompt/workflow-prompt.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { type Asked, AskedFor } from '../../http/listing/asked.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeWorkflowPrompt, CreateWorkflowPrompt } from './workflow-prompts.dto.js';
import { WorkflowPromptsService } from './workflow-prompts.service.js';

@ApiTags('Workflow prompts')
@Controller('library/workflow-prompts')
export class WorkflowPromptsController {
  constructor(private readonly prompts: WorkflowPromptsService) {}

  @List(workflowPromptProjection, { summary: 'List workflow prompts' })
  @Access()
  list(@Caller() actor: Actor, @AskedFor() asked: Asked) {
    return this.prompts.list(actor, asked);
  }

  @Item(workflowPromptProjection, { summary: 'Show a workflow prompt' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @AskedFor() asked: Asked) {
    return this.prompts.get(actor, id, asked);
  }

  @Create(workflowPromptProjection, { status: 201, summary: 'Make a workflow prompt' })
  @Access({ permission: 'customize_content' })
  create(@Caller() actor: Actor, @Body() body: CreateWorkflowPrompt, @AskedFor() asked: Asked) {
    return this.prompts.create(actor, body, asked);
  }

  @Change(workflowPromptProjection, { summary: 'Change a workflow prompt' })
  @Access({ permission: 'customize_content' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeWorkflowPrompt,
    @AskedFor() asked: Asked,
  ) {
    return this.prompts.update(actor, id, body, asked);
  }

  @Remove(workflowPromptProjection, { summary: 'Delete a workflow prompt, or restore a built-in one' })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.prompts.remove(actor, id);
  }
}
