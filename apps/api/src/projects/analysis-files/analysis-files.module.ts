import { Module } from '@nestjs/common';
import { AnalysisFilesController } from './analysis-files.controller.js';
import { AnalysisFilesService } from './analysis-files.service.js';

@Module({ controllers: [AnalysisFilesController], providers: [AnalysisFilesService] })
export class AnalysisFilesModule {}
