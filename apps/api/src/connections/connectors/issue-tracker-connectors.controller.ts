import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { issueTrackerConnectorProjection } from '#domain/connections/connector/connector.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Action, Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import {
  ChangeIssueTrackerConnector,
  CreateIssueTrackerConnector,
  TestIssueTrackerConnection,
  TEST_RESPONSE,
} from './connectors.dto.js';
import { ConnectorsService } from './connectors.service.js';

const KIND = 'issue_tracker';

@ApiTags('Connectors')
@Access({ permission: 'edit_connections' })
@InFamily('connections')
@Controller('connectors/issue-tracker')
export class IssueTrackerConnectorsController {
  constructor(private readonly connectors: ConnectorsService) {}

  @List(issueTrackerConnectorProjection, { summary: 'List connectors to issue trackers' })
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.connectors.list(readRequest);
  }

  @Item(issueTrackerConnectorProjection, { summary: 'Show a connector to an issue tracker' })
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.connectors.get(id, readRequest);
  }

  @Create(issueTrackerConnectorProjection, { status: 201, summary: 'Create a connector to an issue tracker' })
  create(@Caller() actor: Actor, @Body() body: CreateIssueTrackerConnector, @ReadRequest() readRequest: ReadRequest) {
    return this.connectors.create(actor, KIND, body, readRequest);
  }

  @Change(issueTrackerConnectorProjection, { summary: 'Change a connector to an issue tracker' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeIssueTrackerConnector,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.connectors.update(actor, KIND, id, body, readRequest);
  }

  @Action({
    method: 'POST',
    path: 'test',
    status: 200,
    nonComposable: true,
    success: 'The result of the test: whether the tracker answered, and what it said.',
    summary: 'Test the connection to an issue tracker',
    responseSchema: TEST_RESPONSE,
  })
  test(@Caller() actor: Actor, @Body() { system, params }: TestIssueTrackerConnection) {
    return this.connectors.test(actor, KIND, system.id, params);
  }

  @Remove(issueTrackerConnectorProjection, { summary: 'Delete a connector to an issue tracker' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.connectors.remove(actor, KIND, id);
  }
}
