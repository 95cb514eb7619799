import { Module } from '@nestjs/common';
import { ComponentQuestionsController } from './component-questions.controller.js';

@Module({ controllers: [ComponentQuestionsController] })
export class ComponentQuestionsModule {}
