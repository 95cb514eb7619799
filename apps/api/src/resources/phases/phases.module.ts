import { Module } from '@nestjs/common';
import { PhasesController } from './phases.controller.js';

@Module({ controllers: [PhasesController] })
export class PhasesModule {}
