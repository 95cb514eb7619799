import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { onlyRow } from '#domain/kernel/rejected-rows.js';
import {
  createWorkflowPrompts,
  removeWorkflowPrompt,
  writeWorkflowPrompts,
} from '#domain/library/workflow-prompt/workflow-prompt.commands.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeWorkflowPrompt, CreateWorkflowPrompt } from './workflow-prompts.dto.js';

@Injectable()
export class WorkflowPromptsService extends ResourceService {
  create(actor: Actor, input: CreateWorkflowPrompt, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => onlyRow(createWorkflowPrompts(em, actor, [input])));
  }

  update(actor: Actor, id: string, changes: ChangeWorkflowPrompt, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => onlyRow(writeWorkflowPrompts(em, actor, [{ id, changes }])));
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeWorkflowPrompt(em, actor, id));
  }
}
