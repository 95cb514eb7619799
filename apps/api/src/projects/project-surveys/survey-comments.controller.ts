import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { surveyCommentProjection } from '#domain/projects/survey-comment/survey-comment.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';
import { ChangeSurveyComment, CreateSurveyComment } from './project-surveys.dto.js';
import { SurveyCommentsService } from './survey-comments.service.js';

@ApiTags('Project surveys')
@InFamily('projects')
@Controller('projects/:project/survey/comments')
export class SurveyCommentsController {
  constructor(private readonly comments: SurveyCommentsService) {}

  @List(surveyCommentProjection, { within: WITHIN_PROJECT, summary: 'List the comments on a survey' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.comments.list(readRequest);
  }

  @Item(surveyCommentProjection, { within: WITHIN_PROJECT, summary: 'Show a comment on a survey' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.comments.get(id, readRequest);
  }

  @Create(surveyCommentProjection, {
    within: WITHIN_PROJECT,
    status: 201,
    summary: 'Comment on a question of a survey',
  })
  @Access({ inProject: 'notes' })
  create(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Body() body: CreateSurveyComment,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.comments.create(actor, project, body, readRequest);
  }

  @Change(surveyCommentProjection, { within: WITHIN_PROJECT, summary: 'Change a comment on a survey' })
  @Access({ inProject: 'notes' })
  update(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Param('id') id: string,
    @Body() body: ChangeSurveyComment,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.comments.update(actor, project, id, body, readRequest);
  }

  @Remove(surveyCommentProjection, {
    within: WITHIN_PROJECT,
    summary: 'Delete a comment on a survey, as its author or a lead of the project',
  })
  @Access({ inProject: 'notes' })
  remove(@Caller() actor: Actor, @Param('project') project: string, @Param('id') id: string) {
    return this.comments.remove(actor, project, id);
  }
}
