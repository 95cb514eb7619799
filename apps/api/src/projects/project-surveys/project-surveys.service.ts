import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  draftProfile,
  resetDraft,
  saveDraft,
  selectAnswer,
} from '#domain/projects/project-survey/project-survey.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeDraft, ChangeDraftAnswer } from './project-surveys.dto.js';

@Injectable()
export class ProjectSurveysService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  get(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(actor, project, readRequest);
  }

  getDraft(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(actor, project, readRequest);
  }

  changeDraft(actor: Actor, project: string, { profile }: ChangeDraft, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await draftProfile(em, actor, project, profile);
      return this.reads.item(actor, project, readRequest, em);
    });
  }

  saveDraft(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await saveDraft(em, actor, project);
      return this.reads.item(actor, project, readRequest, em);
    });
  }

  resetDraft(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await resetDraft(em, actor, project);
      return this.reads.item(actor, project, readRequest, em);
    });
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
    return inTransaction(this.em, async (em) => {
      await selectAnswer(em, actor, project, answer, selected);
      return this.reads.item(within(actor, project), answer, readRequest, em);
    });
  }
}
