import { Module } from '@nestjs/common';
import { ProjectReportController } from './project-report.controller.js';
import { ProjectReportService } from './project-report.service.js';

@Module({ controllers: [ProjectReportController], providers: [ProjectReportService] })
export class ProjectReportModule {}
