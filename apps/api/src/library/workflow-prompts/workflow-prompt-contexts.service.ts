import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import {
  createWorkflowPromptContext,
  removeWorkflowPromptContext,
  updateWorkflowPromptContext,
} from '#domain/library/workflow-prompt/workflow-prompt-context.commands.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeWorkflowPromptContext, CreateWorkflowPromptContext } from './workflow-prompts.dto.js';

@Injectable()
export class WorkflowPromptContextsService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, prompt: string, readRequest: ReadRequest): Promise<JsonText | JsonStream> {
    return this.reads.list(within(actor, prompt), readRequest);
  }

  get(actor: Actor, prompt: string, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(within(actor, prompt), id, readRequest);
  }

  create(
    actor: Actor,
    prompt: string,
    input: CreateWorkflowPromptContext,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createWorkflowPromptContext(em, actor, prompt, input);
      return this.reads.item(within(actor, prompt), id, readRequest, em);
    });
  }

  update(
    actor: Actor,
    prompt: string,
    id: string,
    changes: ChangeWorkflowPromptContext,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateWorkflowPromptContext(em, actor, prompt, id, changes);
      return this.reads.item(within(actor, prompt), id, readRequest, em);
    });
  }

  remove(actor: Actor, prompt: string, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeWorkflowPromptContext(em, actor, prompt, id));
  }
}
