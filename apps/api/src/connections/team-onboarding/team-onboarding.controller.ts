import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { connectionProjection } from '#domain/connections/connector/connector.projection.js';
import { scanProjection } from '#domain/connections/scan/scan.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { allowedInBodyProject } from '../../http/routes/preconditions.js';
import { Create, Item, List } from '../../http/routes/route.decorators.js';
import { CreateScan } from './team-onboarding.dto.js';
import { TeamOnboardingService } from './team-onboarding.service.js';

@ApiTags('Team onboarding')
@InFamily('projects')
@Controller('team-onboarding')
export class TeamOnboardingController {
  constructor(private readonly onboarding: TeamOnboardingService) {}

  @List(connectionProjection, { path: 'connections', summary: 'List the connections that scans can use' })
  @Access()
  listConnections(@ReadRequest() readRequest: ReadRequest) {
    return this.onboarding.list(readRequest);
  }

  @List(scanProjection, { path: 'scans', summary: 'List scans of repositories' })
  @Access()
  listScans(@ReadRequest() readRequest: ReadRequest) {
    return this.onboarding.list(readRequest);
  }

  @Item(scanProjection, { path: 'scans/:id', summary: 'Show a scan of a repository' })
  @Access()
  getScan(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.onboarding.get(id, readRequest);
  }

  @Create(scanProjection, {
    path: 'scans',
    status: 201,
    summary: 'Request a scan of a repository. The request is only recorded: this service has no scanner',
    preconditions: allowedInBodyProject('survey'),
  })
  @Access({ inItsProject: 'survey' })
  createScan(@Caller() actor: Actor, @Body() body: CreateScan, @ReadRequest() readRequest: ReadRequest) {
    return this.onboarding.createScan(actor, body, readRequest);
  }
}
