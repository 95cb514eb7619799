import { Module } from '@nestjs/common';
import { CountermeasuresController } from './countermeasures.controller.js';
import { CountermeasuresService } from './countermeasures.service.js';

@Module({ controllers: [CountermeasuresController], providers: [CountermeasuresService] })
export class CountermeasuresModule {}
