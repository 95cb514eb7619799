import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import {
  createWorkflowPromptContext,
  removeWorkflowPromptContext,
  updateWorkflowPromptContext,
} from '#domain/library/workflow-prompt/workflow-prompt-context.commands.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeWorkflowPromptContext, CreateWorkflowPromptContext } from './workflow-prompts.dto.js';

@Injectable()
export class WorkflowPromptContextsService extends ResourceService {
  create(
    actor: Actor,
    prompt: string,
    input: CreateWorkflowPromptContext,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createWorkflowPromptContext(em, actor, prompt, input));
  }

  update(
    actor: Actor,
    prompt: string,
    id: string,
    changes: ChangeWorkflowPromptContext,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateWorkflowPromptContext(em, actor, prompt, id, changes));
  }

  remove(actor: Actor, prompt: string, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeWorkflowPromptContext(em, actor, prompt, id));
  }
}
