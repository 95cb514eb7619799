import { Module } from '@nestjs/common';
import { ActivitiesController } from './activities.controller.js';
import { ActivitiesService } from './activities.service.js';
import { OwnActivitiesController } from './own-activities.controller.js';

@Module({ controllers: [ActivitiesController, OwnActivitiesController], providers: [ActivitiesService] })
export class ActivitiesModule {}
