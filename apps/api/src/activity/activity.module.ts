import { Module } from '@nestjs/common';
import { ActivitiesController } from './activities/activities.controller.js';
import { ActivityRedirectController } from './activities/activity-redirect.controller.js';
import { ActivitiesService } from './activities/activities.service.js';
import { OwnActivitiesController } from './activities/own-activities.controller.js';
import { ProjectActivitiesController } from './activities/project-activities.controller.js';

@Module({
  controllers: [ActivitiesController, ActivityRedirectController, OwnActivitiesController, ProjectActivitiesController],
  providers: [ActivitiesService],
})
export class ActivityModule {}
