import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/actor.js';
import { projectProjection } from '#domain/project/project.projection.js';
import { surveyCommentProjection } from '#domain/survey-comment/survey-comment.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { type Asked, AskedFor } from '../../http/listing/asked.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List } from '../../http/routes/route.decorators.js';
import { ChangeSurveyComment, CreateSurveyComment } from './project-surveys.dto.js';
import { SurveyCommentsService } from './survey-comments.service.js';

const PROJECT = [{ parameter: 'project', projection: projectProjection }];

@ApiTags('Project surveys')
@Controller('projects/:project/survey/comments')
export class SurveyCommentsController {
  constructor(private readonly comments: SurveyCommentsService) {}

  @List(surveyCommentProjection, { within: PROJECT, summary: 'List the comments on a survey' })
  @Access()
  list(@Caller() actor: Actor, @Param('project') project: string, @AskedFor() asked: Asked) {
    return this.comments.list(actor, project, asked);
  }

  @Item(surveyCommentProjection, { within: PROJECT, summary: 'Show a comment on a survey' })
  @Access()
  get(@Caller() actor: Actor, @Param('project') project: string, @Param('id') id: string, @AskedFor() asked: Asked) {
    return this.comments.get(actor, project, id, asked);
  }

  @Create(surveyCommentProjection, { within: PROJECT, status: 201, summary: 'Comment on a question of a survey' })
  @Access({ inProject: 'notes' })
  create(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Body() body: CreateSurveyComment,
    @AskedFor() asked: Asked,
  ) {
    return this.comments.create(actor, project, body, asked);
  }

  @Change(surveyCommentProjection, { within: PROJECT, summary: 'Change a comment on a survey' })
  @Access({ inProject: 'notes' })
  update(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Param('id') id: string,
    @Body() body: ChangeSurveyComment,
    @AskedFor() asked: Asked,
  ) {
    return this.comments.update(actor, project, id, body, asked);
  }
}
