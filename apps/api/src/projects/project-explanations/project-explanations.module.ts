import { Module } from '@nestjs/common';
import { ProjectExplanationsController } from './project-explanations.controller.js';

@Module({ controllers: [ProjectExplanationsController] })
export class ProjectExplanationsModule {}
