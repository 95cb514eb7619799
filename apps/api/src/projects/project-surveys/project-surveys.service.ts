import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  selectProfile,
  resetDraft,
  saveDraft,
  selectAnswer,
} from '#domain/projects/project-survey/project-survey.commands.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeDraft, ChangeDraftAnswer } from './project-surveys.dto.js';

@Injectable()
export class ProjectSurveysService extends ResourceService {
  changeDraft(actor: Actor, project: string, { profile }: ChangeDraft, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(project, readRequest, (em) => selectProfile(em, actor, project, profile));
  }

  saveDraft(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(project, readRequest, (em) => saveDraft(em, actor, project));
  }

  resetDraft(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(project, readRequest, (em) => resetDraft(em, actor, project));
  }

  changeAnswer(
    actor: Actor,
    project: string,
    answer: string,
    { selected }: ChangeDraftAnswer,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(answer, readRequest, (em) => selectAnswer(em, actor, project, answer, selected));
  }
}
