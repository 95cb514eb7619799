import { Module } from '@nestjs/common';
import { SectionsController } from './sections.controller.js';

@Module({ controllers: [SectionsController] })
export class SectionsModule {}
