import { Module } from '@nestjs/common';
import { ActivitiesController } from './activities.controller.js';
import { ActivityRedirectController } from './activity-redirect.controller.js';
import { ActivitiesService } from './activities.service.js';
import { OwnActivitiesController } from './own-activities.controller.js';
import { ProjectActivitiesController } from './project-activities.controller.js';

@Module({
  controllers: [ActivitiesController, ActivityRedirectController, OwnActivitiesController, ProjectActivitiesController],
  providers: [ActivitiesService],
})
export class ActivitiesModule {}
