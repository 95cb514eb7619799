import { Module } from '@nestjs/common';
import { ProjectExplanationsController } from './project-explanations.controller.js';
import { ResourceService } from '../../http/resources/resource.service.js';

@Module({ controllers: [ProjectExplanationsController], providers: [ResourceService] })
export class ProjectExplanationsModule {}
