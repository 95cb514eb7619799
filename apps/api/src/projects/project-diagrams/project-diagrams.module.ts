import { Module } from '@nestjs/common';
import { ProjectDiagramsController } from './project-diagrams.controller.js';
import { ProjectDiagramsService } from './project-diagrams.service.js';

@Module({ controllers: [ProjectDiagramsController], providers: [ProjectDiagramsService] })
export class ProjectDiagramsModule {}
