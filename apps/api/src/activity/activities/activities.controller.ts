import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { activityProjection } from '#domain/activity/activity.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Item, List } from '../../http/routes/route.decorators.js';
import { ActivitiesService } from './activities.service.js';

@ApiTags('Activity stream')
@Access({ permission: 'view_all_projects' })
@InFamily('activity')
@Controller('activity-stream')
export class ActivitiesController {
  constructor(private readonly activities: ActivitiesService) {}

  @List(activityProjection, { summary: 'List what happened in the organization' })
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.activities.list(readRequest);
  }

  @Item(activityProjection, { summary: 'Show an activity' })
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.activities.get(id, readRequest);
  }
}
