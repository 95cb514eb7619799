import { Module } from '@nestjs/common';
import { RegulationsController } from './regulations.controller.js';

@Module({ controllers: [RegulationsController] })
export class RegulationsModule {}
