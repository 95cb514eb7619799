import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { connectionProjection } from '#domain/connections/connector/connector.projection.js';
import { scanProjection } from '#domain/connections/scan/scan.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { type Asked, AskedFor } from '../../http/listing/asked.js';
import { Caller } from '../../http/request.js';
import { inNamedProject } from '../../http/routes/forbids.js';
import { Create, Item, List } from '../../http/routes/route.decorators.js';
import { CreateScan } from './team-onboarding.dto.js';
import { TeamOnboardingService } from './team-onboarding.service.js';

@ApiTags('Team onboarding')
@Controller('team-onboarding')
export class TeamOnboardingController {
  constructor(private readonly onboarding: TeamOnboardingService) {}

  @List(connectionProjection, { path: 'connections', summary: 'List what scans may use' })
  @Access()
  listConnections(@Caller() actor: Actor, @AskedFor() asked: Asked) {
    return this.onboarding.listConnections(actor, asked);
  }

  @List(scanProjection, { path: 'scans', summary: 'List scans of repositories' })
  @Access()
  listScans(@Caller() actor: Actor, @AskedFor() asked: Asked) {
    return this.onboarding.listScans(actor, asked);
  }

  @Item(scanProjection, { path: 'scans/:id', summary: 'Show a scan of a repository' })
  @Access()
  getScan(@Caller() actor: Actor, @Param('id') id: string, @AskedFor() asked: Asked) {
    return this.onboarding.getScan(actor, id, asked);
  }

  @Create(scanProjection, {
    path: 'scans',
    status: 201,
    summary: 'Ask for a scan of a repository: it is recorded, and its status says that there is no scanner',
    forbids: inNamedProject('survey'),
  })
  @Access({ inItsProject: 'survey' })
  createScan(@Caller() actor: Actor, @Body() body: CreateScan, @AskedFor() asked: Asked) {
    return this.onboarding.createScan(actor, body, asked);
  }
}
