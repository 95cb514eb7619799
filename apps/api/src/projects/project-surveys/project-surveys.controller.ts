import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { projectProjection } from '#domain/projects/project/project.projection.js';
import {
  projectSurveyProjection,
  surveyDraftAnswerProjection,
  surveyDraftProjection,
} from '#domain/projects/project-survey/project-survey.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Action, Change, Create, Item, Reset } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';
import { ChangeDraft, ChangeDraftAnswer, PreviewDraft } from './project-surveys.dto.js';
import { PREVIEW } from './survey-preview.schema.js';
import { ProjectSurveysService } from './project-surveys.service.js';

const DRAFT = ':id/survey/draft';
const ANSWER = ':project/survey/draft/:id';

@ApiTags('Project surveys')
@InFamily('projects')
@Controller('projects')
export class ProjectSurveysController {
  constructor(private readonly surveys: ProjectSurveysService) {}

  @Item(projectSurveyProjection, { path: ':id/survey', summary: 'Show the saved survey of a project' })
  @Access()
  get(@Param('id') project: string, @ReadRequest() readRequest: ReadRequest) {
    return this.surveys.get(project, readRequest);
  }

  @Item(surveyDraftProjection, { path: DRAFT, summary: 'Show the draft of a survey' })
  @Access()
  getDraft(@Param('id') project: string, @ReadRequest() readRequest: ReadRequest) {
    return this.surveys.get(project, readRequest);
  }

  @Change(surveyDraftProjection, {
    path: DRAFT,
    summary: 'Take over the answers of a profile, or answer a question with "None of these"',
  })
  @Access({ inProject: 'survey' })
  changeDraft(
    @Caller() actor: Actor,
    @Param('id') project: string,
    @Body() body: ChangeDraft,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.surveys.changeDraft(actor, project, body, readRequest);
  }

  @Create(surveyDraftProjection, {
    path: DRAFT,
    within: [{ parameter: 'id', projection: projectProjection }],
    status: 200,
    summary: "Save the draft of a survey, and recalculate the project's content",
  })
  @Access({ inProject: 'survey' })
  saveDraft(@Caller() actor: Actor, @Param('id') project: string, @ReadRequest() readRequest: ReadRequest) {
    return this.surveys.saveDraft(actor, project, readRequest);
  }

  @Reset(surveyDraftProjection, { path: DRAFT, summary: 'Discard the changes in a draft' })
  @Access({ inProject: 'survey' })
  resetDraft(@Caller() actor: Actor, @Param('id') project: string, @ReadRequest() readRequest: ReadRequest) {
    return this.surveys.resetDraft(actor, project, readRequest);
  }

  @Action({
    method: 'POST',
    path: `${DRAFT}/preview`,
    status: 200,
    items: [{ parameter: 'id', projection: projectProjection }],
    responseSchema: PREVIEW,
    keyed: false,
    success: 'What saving the draft would change. Nothing was changed.',
    summary: 'Show what saving a draft would change',
  })
  @Access({ inProject: 'survey' })
  previewDraft(@Caller() actor: Actor, @Param('id') project: string, @Body() body: PreviewDraft) {
    return this.surveys.previewDraft(actor, project, body);
  }

  @Item(surveyDraftAnswerProjection, {
    path: ANSWER,
    within: WITHIN_PROJECT,
    summary: 'Show an answer in the draft',
  })
  @Access()
  getAnswer(@Param('id') answer: string, @ReadRequest() readRequest: ReadRequest) {
    return this.surveys.get(answer, readRequest);
  }

  @Change(surveyDraftAnswerProjection, {
    path: ANSWER,
    within: WITHIN_PROJECT,
    summary: 'Choose or reject an answer in the draft',
  })
  @Access({ inProject: 'survey' })
  changeAnswer(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Param('id') answer: string,
    @Body() body: ChangeDraftAnswer,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.surveys.changeAnswer(actor, project, answer, body, readRequest);
  }
}
