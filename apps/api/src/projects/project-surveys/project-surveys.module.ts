import { Module } from '@nestjs/common';
import { ProjectSurveysController } from './project-surveys.controller.js';
import { ProjectSurveysService } from './project-surveys.service.js';
import { SurveyCommentsController } from './survey-comments.controller.js';
import { SurveyCommentsService } from './survey-comments.service.js';

@Module({
  controllers: [ProjectSurveysController, SurveyCommentsController],
  providers: [ProjectSurveysService, SurveyCommentsService],
})
export class ProjectSurveysModule {}
