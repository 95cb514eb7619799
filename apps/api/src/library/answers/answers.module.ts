import { Module } from '@nestjs/common';
import { AnswersController } from './answers.controller.js';

@Module({ controllers: [AnswersController] })
export class AnswersModule {}
