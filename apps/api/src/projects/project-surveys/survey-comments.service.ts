import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import {
  createSurveyComment,
  deleteSurveyComment,
  updateSurveyComment,
} from '#domain/projects/survey-comment/survey-comment.commands.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeSurveyComment, CreateSurveyComment } from './project-surveys.dto.js';

@Injectable()
export class SurveyCommentsService extends ResourceService {
  create(actor: Actor, project: string, input: CreateSurveyComment, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createSurveyComment(em, actor, project, input));
  }

  update(
    actor: Actor,
    project: string,
    id: string,
    changes: ChangeSurveyComment,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateSurveyComment(em, actor, project, id, changes));
  }

  remove(actor: Actor, project: string, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => deleteSurveyComment(em, actor, project, id));
  }
}
