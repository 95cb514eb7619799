import { Module } from '@nestjs/common';
import { RegulationSectionsController } from './regulation-sections.controller.js';
import { RegulationsController } from './regulations.controller.js';

@Module({ controllers: [RegulationsController, RegulationSectionsController] })
export class RegulationsModule {}
