import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { inRolledBackTransaction } from '#domain/kernel/transaction.js';
import { saveDraft } from '#domain/projects/project-survey/project-survey.commands.js';
import {
  answerNone,
  resetDraft,
  selectAnswer,
  selectProfile,
} from '#domain/projects/project-survey/survey-draft.commands.js';
import { previewDraft, type SurveyPreview } from '#domain/projects/project-survey/survey-preview.commands.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeDraft, ChangeDraftAnswer, PreviewDraft } from './project-surveys.dto.js';

@Injectable()
export class ProjectSurveysService extends ResourceService {
  changeDraft(
    actor: Actor,
    project: string,
    { profile, question, none }: ChangeDraft,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(project, readRequest, async (em) => {
      await selectProfile(em, actor, project, profile);
      await answerNone(em, actor, project, { question, none });
    });
  }

  saveDraft(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(project, readRequest, (em) => saveDraft(em, actor, project));
  }

  resetDraft(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(project, readRequest, (em) => resetDraft(em, actor, project));
  }

  previewDraft(actor: Actor, project: string, { answers = {} }: PreviewDraft): Promise<SurveyPreview> {
    return inRolledBackTransaction(this.em, actor, (em) =>
      previewDraft(em, actor, project, answers as Readonly<Record<string, boolean>>),
    );
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
