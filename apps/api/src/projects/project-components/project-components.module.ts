import { Module } from '@nestjs/common';
import { ProjectComponentsController } from './project-components.controller.js';
import { ProjectComponentsService } from './project-components.service.js';

@Module({ controllers: [ProjectComponentsController], providers: [ProjectComponentsService] })
export class ProjectComponentsModule {}
