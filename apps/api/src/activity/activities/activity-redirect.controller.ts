import { Controller, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Actor } from '#domain/kernel/actor.js';
import { applicationProjection } from '#domain/projects/application/application.projection.js';
import { projectProjection } from '#domain/projects/project/project.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { Caller } from '../../http/request.js';
import { Redirect } from '../../http/routes/route.decorators.js';
import { ActivitiesService } from './activities.service.js';

/** Redirects links in the texts of activities: the texts never change, but the addresses of resources may. */
@ApiTags('Activity stream')
@InFamily('activity')
@Controller('activity-redirect')
export class ActivityRedirectController {
  constructor(private readonly activities: ActivitiesService) {}

  @Redirect({
    path: 'project/:id',
    items: [{ parameter: 'id', projection: projectProjection }],
    summary: 'Redirect to the project that an activity links to',
  })
  @Access()
  async toProject(@Caller() actor: Actor, @Param('id') id: string, @Res({ passthrough: true }) response: Response) {
    response.set('Location', await this.activities.addressOf('project', actor, id));
  }

  @Redirect({
    path: 'application/:id',
    items: [{ parameter: 'id', projection: applicationProjection }],
    summary: 'Redirect to the application that an activity links to',
  })
  @Access()
  async toApplication(@Caller() actor: Actor, @Param('id') id: string, @Res({ passthrough: true }) response: Response) {
    response.set('Location', await this.activities.addressOf('application', actor, id));
  }
}
