import { Module } from '@nestjs/common';
import { TaskStatusesController } from './task-statuses.controller.js';

@Module({ controllers: [TaskStatusesController] })
export class TaskStatusesModule {}
