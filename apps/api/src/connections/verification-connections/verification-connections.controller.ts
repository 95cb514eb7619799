import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { verificationConnectionProjection } from '#domain/connections/verification-connection/verification-connection.projection.js';
import type { Actor } from '#domain/kernel/actor.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, type PathItem, Remove } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';
import { ChangeVerificationConnection, CreateVerificationConnection } from './verification-connections.dto.js';
import { VerificationConnectionsService } from './verification-connections.service.js';

/** The connection in the path. */
const WITHIN_CONNECTION: readonly PathItem[] = [
  ...WITHIN_PROJECT,
  { parameter: 'connection', projection: verificationConnectionProjection },
];

@ApiTags('Verification connections')
@InFamily('projects')
@Controller('projects/:project/verification-connections')
export class VerificationConnectionsController {
  constructor(private readonly connections: VerificationConnectionsService) {}

  @List(verificationConnectionProjection, {
    within: WITHIN_PROJECT,
    summary: 'List the connections to verification tools',
  })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.connections.list(readRequest);
  }

  @Item(verificationConnectionProjection, {
    within: WITHIN_PROJECT,
    summary: 'Show a connection to a verification tool',
  })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.connections.get(id, readRequest);
  }

  @Create(verificationConnectionProjection, {
    within: WITHIN_PROJECT,
    status: 201,
    summary: 'Connect a project to a verification tool',
  })
  @Access({ inProject: 'project' })
  create(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Body() body: CreateVerificationConnection,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.connections.create(actor, project, body, readRequest);
  }

  @Change(verificationConnectionProjection, {
    within: WITHIN_PROJECT,
    summary: 'Change a connection to a verification tool',
  })
  @Access({ inProject: 'project' })
  update(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Param('id') id: string,
    @Body() body: ChangeVerificationConnection,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.connections.update(actor, project, id, body, readRequest);
  }

  @Remove(verificationConnectionProjection, {
    within: WITHIN_PROJECT,
    summary: 'Delete a connection to a verification tool; its results stay',
  })
  @Access({ inProject: 'project' })
  remove(@Caller() actor: Actor, @Param('project') project: string, @Param('id') id: string) {
    return this.connections.remove(actor, project, id);
  }

  @Create(verificationConnectionProjection, {
    path: ':connection/sync',
    within: WITHIN_CONNECTION,
    status: 202,
    summary: 'Start a run',
  })
  @Access({ inProject: 'project' })
  run(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Param('connection') connection: string,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.connections.run(actor, project, connection, readRequest);
  }
}
