import { Module } from '@nestjs/common';
import { ThreatsController } from './threats.controller.js';
import { ThreatsService } from './threats.service.js';

@Module({ controllers: [ThreatsController], providers: [ThreatsService] })
export class ThreatsModule {}
