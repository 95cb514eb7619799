import { Module } from '@nestjs/common';
import { RemovedController } from './removed.controller.js';

@Module({ controllers: [RemovedController] })
export class RemovedModule {}
