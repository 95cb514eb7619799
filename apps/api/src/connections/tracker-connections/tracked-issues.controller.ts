import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { trackedIssueProjection } from '#domain/connections/tracked-issue/tracked-issue.projection.js';
import { syncRunProjection } from '#domain/connections/tracker-sync/sync-run.projection.js';
import type { Actor } from '#domain/kernel/actor.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Create, Item, List } from '../../http/routes/route.decorators.js';
import { TrackedIssuesService } from './tracked-issues.service.js';
import { WITHIN_CONNECTION } from './tracker-connections.controller.js';

@ApiTags('Issue tracker connections')
@InFamily('projects')
@Controller('projects/:project/issue-tracker-connections/:connection')
export class TrackedIssuesController {
  constructor(private readonly issues: TrackedIssuesService) {}

  @List(syncRunProjection, {
    path: 'runs',
    within: WITHIN_CONNECTION,
    summary: 'List the latest runs of a connection, newest first',
  })
  @Access()
  listRuns(@ReadRequest() readRequest: ReadRequest) {
    return this.issues.list(readRequest);
  }

  @Item(syncRunProjection, { path: 'runs/:id', within: WITHIN_CONNECTION, summary: 'Show a run of a connection' })
  @Access()
  getRun(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.issues.get(id, readRequest);
  }

  @List(trackedIssueProjection, {
    path: 'issues',
    within: WITHIN_CONNECTION,
    summary: 'List the issues of a connection, each with its state and last error',
  })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.issues.list(readRequest);
  }

  @Item(trackedIssueProjection, {
    path: 'issues/:id',
    within: WITHIN_CONNECTION,
    summary: 'Show an issue of a connection',
  })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.issues.get(id, readRequest);
  }

  @Create(trackedIssueProjection, {
    path: 'issues/:id/recreate',
    within: [...WITHIN_CONNECTION, { parameter: 'id', projection: trackedIssueProjection }],
    status: 202,
    summary: 'Create a new issue in place of a missing one',
  })
  @Access({ inProject: 'project' })
  recreate(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Param('connection') connection: string,
    @Param('id') id: string,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.issues.recreate(actor, { project, connection, id }, readRequest);
  }
}
