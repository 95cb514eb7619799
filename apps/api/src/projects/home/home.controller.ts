import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { MAX_HOME_ENTRIES } from '#domain/projects/home/home.js';
import { ownActivityProjection } from '#domain/projects/project-activity/project-activity.projection.js';
import { HIGH_PRIORITY } from '#domain/library/countermeasure/countermeasure.rules.js';
import * as schema from '#query/schema.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { Caller } from '../../http/request.js';
import { Action } from '../../http/routes/route.decorators.js';
import { reference } from '../../http/routes/schemas.js';
import { HomeService } from './home.service.js';

const project = {
  id: schema.integer({ example: 1 }),
  name: schema.string({ example: 'Web shop 2.0' }),
};

const HOME = {
  type: 'object',
  properties: {
    work: schema.list(
      schema.object({
        project: schema.object(project),
        open: schema.integer({ description: 'Open countermeasures that are assigned to you.', example: 12 }),
        high_priority: schema.integer({ description: `Those of priority ${HIGH_PRIORITY} or more.`, example: 4 }),
      }),
      { description: 'Your work, by project: where most of it is urgent comes first.' },
    ),
    projects: schema.list(
      schema.object({
        ...project,
        complete: schema.integer({ description: 'Those that are complete or not applicable.', example: 41 }),
        relevant: schema.integer({ description: 'Accepted countermeasures that are relevant.', example: 112 }),
      }),
      { description: 'The projects that you are a member of, and then others that you can see, latest changes first.' },
    ),
    activities: {
      type: 'array',
      items: reference(ownActivityProjection),
      description:
        'Your latest activities, and those about you and your projects, newest first. A token needs `activity:read`.',
    },
    updates: schema.list(
      schema.object({
        project: schema.object(project),
        count: schema.integer({ description: 'Countermeasures and components to decide on.', example: 3 }),
      }),
      { description: 'Changes of the library that wait for a decision in `projects`.' },
    ),
  },
  required: ['work', 'projects', 'activities', 'updates'],
};

@ApiTags('Projects')
@InFamily('projects')
@Controller('home')
export class HomeController {
  constructor(private readonly home: HomeService) {}

  @Action({
    method: 'GET',
    status: 200,
    responseSchema: HOME,
    success: `What a start page shows: at most ${MAX_HOME_ENTRIES} entries in each list.`,
    summary: "Show the caller's start page",
  })
  @Access()
  show(@Caller() actor: Actor) {
    return this.home.show(actor);
  }
}
