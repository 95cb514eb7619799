import { Module } from '@nestjs/common';
import { WeaknessesController } from './weaknesses.controller.js';
import { WeaknessesService } from './weaknesses.service.js';

@Module({ controllers: [WeaknessesController], providers: [WeaknessesService] })
export class WeaknessesModule {}
