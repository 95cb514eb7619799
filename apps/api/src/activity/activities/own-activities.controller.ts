import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { List } from '../../http/routes/route.decorators.js';
import { ActivitiesService } from './activities.service.js';
import { ownActivityProjection } from '#domain/projects/project-activity/project-activity.projection.js';

@ApiTags('Activity stream')
@InFamily('activity')
@Controller('users/me/activity-stream')
export class OwnActivitiesController {
  constructor(private readonly activities: ActivitiesService) {}

  @List(ownActivityProjection, {
    summary: "List the caller's activities: their own, those about them, and those of their projects",
  })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.activities.list(readRequest);
  }
}
