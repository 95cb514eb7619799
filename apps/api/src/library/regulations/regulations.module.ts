import { Module } from '@nestjs/common';
import { RegulationCoverageController } from '../../projects/regulation-coverage/regulation-coverage.controller.js';
import { RegulationCoverageService } from '../../projects/regulation-coverage/regulation-coverage.service.js';
import { RegulationSectionsController } from './regulation-sections.controller.js';
import { RegulationsController } from './regulations.controller.js';

@Module({
  controllers: [RegulationsController, RegulationSectionsController, RegulationCoverageController],
  providers: [RegulationCoverageService],
})
export class RegulationsModule {}
