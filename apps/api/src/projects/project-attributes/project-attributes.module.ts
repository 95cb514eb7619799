import { Module } from '@nestjs/common';
import { ProjectAttributesController } from './project-attributes.controller.js';
import { ProjectAttributesService } from './project-attributes.service.js';

@Module({ controllers: [ProjectAttributesController], providers: [ProjectAttributesService] })
export class ProjectAttributesModule {}
