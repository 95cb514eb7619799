import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createSurveyComment, updateSurveyComment } from '#domain/projects/survey-comment/survey-comment.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeSurveyComment, CreateSurveyComment } from './project-surveys.dto.js';

@Injectable()
export class SurveyCommentsService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText | JsonStream> {
    return this.reads.list(within(actor, project), readRequest);
  }

  get(actor: Actor, project: string, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(within(actor, project), id, readRequest);
  }

  create(actor: Actor, project: string, input: CreateSurveyComment, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createSurveyComment(em, actor, project, input);
      return this.reads.item(within(actor, project), id, readRequest, em);
    });
  }

  update(
    actor: Actor,
    project: string,
    id: string,
    changes: ChangeSurveyComment,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateSurveyComment(em, actor, project, id, changes);
      return this.reads.item(within(actor, project), id, readRequest, em);
    });
  }
}
