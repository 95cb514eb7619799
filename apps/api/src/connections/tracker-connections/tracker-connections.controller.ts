import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { trackerConnectionProjection } from '#domain/connections/tracker-connection/tracker-connection.projection.js';
import { syncRunProjection } from '#domain/connections/tracker-sync/sync-run.projection.js';
import type { Actor } from '#domain/kernel/actor.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller, UnlessChanged } from '../../http/request.js';
import { Action, Change, Create, Item, List, type PathItem, Remove } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';
import { CONNECTION_TEST, PREVIEW } from './responses.js';
import { ChangeTrackerConnection, CreateTrackerConnection, TestTrackerConnection } from './tracker-connections.dto.js';
import { TrackerConnectionsService } from './tracker-connections.service.js';

/** The connection in the path, for routes within a connection. */
export const WITHIN_CONNECTION: readonly PathItem[] = [
  ...WITHIN_PROJECT,
  { parameter: 'connection', projection: trackerConnectionProjection },
];

@ApiTags('Issue tracker connections')
@InFamily('projects')
@Controller('projects/:project/issue-tracker-connections')
export class TrackerConnectionsController {
  constructor(private readonly connections: TrackerConnectionsService) {}

  @List(trackerConnectionProjection, { within: WITHIN_PROJECT, summary: 'List the connections to issue trackers' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.connections.list(readRequest);
  }

  @Item(trackerConnectionProjection, { within: WITHIN_PROJECT, summary: 'Show a connection to an issue tracker' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.connections.get(id, readRequest);
  }

  @Create(trackerConnectionProjection, {
    within: WITHIN_PROJECT,
    status: 201,
    summary: 'Connect a project to an issue tracker',
  })
  @Access({ inProject: 'project' })
  create(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Body() body: CreateTrackerConnection,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.connections.create(actor, project, body, readRequest);
  }

  @Change(trackerConnectionProjection, {
    within: WITHIN_PROJECT,
    checksFirst: true,
    summary: 'Change a connection to an issue tracker',
  })
  @Access({ inProject: 'project' })
  update(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Param('id') id: string,
    @Body() body: ChangeTrackerConnection,
    @ReadRequest() readRequest: ReadRequest,
    @UnlessChanged() unlessChanged: UnlessChanged,
  ) {
    return this.connections.update(actor, project, id, body, readRequest, unlessChanged);
  }

  @Remove(trackerConnectionProjection, {
    within: WITHIN_PROJECT,
    summary: 'Delete a connection to an issue tracker; its issues stay in the tracker',
  })
  @Access({ inProject: 'project' })
  remove(@Caller() actor: Actor, @Param('project') project: string, @Param('id') id: string) {
    return this.connections.remove(actor, project, id);
  }

  @Action({
    method: 'POST',
    path: ':connection/test',
    status: 200,
    items: WITHIN_CONNECTION,
    nonComposable: true,
    success: 'Whether the tracker accepts the token, shows the project, and has all that the connection needs.',
    summary: 'Test a connection to an issue tracker',
    responseSchema: CONNECTION_TEST,
  })
  @Access({ inProject: 'project' })
  test(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Param('connection') connection: string,
    @Body() { create_issue: createIssue = false }: TestTrackerConnection,
  ) {
    return this.connections.test(actor, project, connection, createIssue);
  }

  @Action({
    method: 'POST',
    path: ':connection/preview',
    status: 200,
    items: WITHIN_CONNECTION,
    nonComposable: true,
    success: 'What a run would write.',
    summary: 'Preview a run, without writing anything',
    responseSchema: PREVIEW,
  })
  @Access({ inProject: 'project' })
  preview(@Caller() actor: Actor, @Param('project') project: string, @Param('connection') connection: string) {
    return this.connections.preview(actor, project, connection);
  }

  @Create(syncRunProjection, {
    path: ':connection/sync',
    within: WITHIN_CONNECTION,
    status: 202,
    summary: 'Start a run; while one is under way, another one follows it',
  })
  @Access({ inProject: 'project' })
  sync(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Param('connection') connection: string,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.connections.sync(actor, project, connection, readRequest);
  }
}
