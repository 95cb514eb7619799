import { Module } from '@nestjs/common';
import { ProjectThreatsController } from './project-threats.controller.js';

@Module({ controllers: [ProjectThreatsController] })
export class ProjectThreatsModule {}
