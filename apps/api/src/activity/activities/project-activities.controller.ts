import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { List } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';
import { ActivitiesService } from './activities.service.js';
import { projectActivityProjection } from '#domain/projects/project-activity/project-activity.projection.js';

@ApiTags('Activity stream')
@InFamily('activity')
@Controller('projects/:project/activity-stream')
export class ProjectActivitiesController {
  constructor(private readonly activities: ActivitiesService) {}

  @List(projectActivityProjection, {
    within: WITHIN_PROJECT,
    summary: 'List the activities of a project',
  })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.activities.list(readRequest);
  }
}
