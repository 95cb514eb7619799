import { Module } from '@nestjs/common';
import { ProjectWeaknessesController } from './project-weaknesses.controller.js';

@Module({ controllers: [ProjectWeaknessesController] })
export class ProjectWeaknessesModule {}
