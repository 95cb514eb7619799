import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  draftProfile,
  resetDraft,
  saveDraft,
  selectAnswer,
} from '#domain/projects/project-survey/project-survey.commands.js';
import type { JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, within } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeDraft, ChangeDraftAnswer } from './project-surveys.dto.js';

@Injectable()
export class ProjectSurveysService extends ResourceService {
  getDraft(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(actor, project, readRequest);
  }

  changeDraft(actor: Actor, project: string, { profile }: ChangeDraft, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(actor, project, readRequest, (em) => draftProfile(em, actor, project, profile));
  }

  saveDraft(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(actor, project, readRequest, (em) => saveDraft(em, actor, project));
  }

  resetDraft(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(actor, project, readRequest, (em) => resetDraft(em, actor, project));
  }

  getAnswer(actor: Actor, project: string, answer: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(within(actor, project), answer, readRequest);
  }

  changeAnswer(
    actor: Actor,
    project: string,
    answer: string,
    { selected }: ChangeDraftAnswer,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(within(actor, project), answer, readRequest, (em) =>
      selectAnswer(em, actor, project, answer, selected),
    );
  }
}
