import { Module } from '@nestjs/common';
import { ProjectExplanationsController } from './project-explanations.controller.js';
import { ProjectExplanationsService } from './project-explanations.service.js';

@Module({ controllers: [ProjectExplanationsController], providers: [ProjectExplanationsService] })
export class ProjectExplanationsModule {}
