import { Module } from '@nestjs/common';
import { ProjectGateController } from './project-gate.controller.js';
import { ProjectGateService } from './project-gate.service.js';

@Module({ controllers: [ProjectGateController], providers: [ProjectGateService] })
export class ProjectGateModule {}
