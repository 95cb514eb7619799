import { Module } from '@nestjs/common';
import { RegulationCoverageController } from './regulation-coverage.controller.js';
import { RegulationCoverageService } from './regulation-coverage.service.js';

@Module({ controllers: [RegulationCoverageController], providers: [RegulationCoverageService] })
export class RegulationCoverageModule {}
