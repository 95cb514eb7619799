import { Module } from '@nestjs/common';
import { WorkflowPromptContextsController } from './workflow-prompt-contexts.controller.js';
import { WorkflowPromptContextsService } from './workflow-prompt-contexts.service.js';
import { WorkflowPromptsController } from './workflow-prompts.controller.js';
import { WorkflowPromptsService } from './workflow-prompts.service.js';

@Module({
  controllers: [WorkflowPromptsController, WorkflowPromptContextsController],
  providers: [WorkflowPromptsService, WorkflowPromptContextsService],
})
export class WorkflowPromptsModule {}
