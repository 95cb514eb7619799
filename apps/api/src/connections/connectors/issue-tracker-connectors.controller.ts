import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { issueTrackerConnectorProjection } from '#domain/connections/connector/connector.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { type Asked, AskedFor } from '../../http/listing/asked.js';
import { Caller } from '../../http/request.js';
import { Action, Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import {
  ChangeIssueTrackerConnector,
  CreateIssueTrackerConnector,
  TestIssueTrackerConnection,
} from './connectors.dto.js';
import { ConnectorsService } from './connectors.service.js';
import { TEST_ANSWER } from './test-answer.js';

const KIND = 'issue_tracker';

@ApiTags('Connectors')
@Controller()
export class IssueTrackerConnectorsController {
  constructor(private readonly connectors: ConnectorsService) {}

  @List(issueTrackerConnectorProjection, {
    path: 'connectors/issue-tracker',
    summary: 'List connectors to issue trackers',
  })
  @Access({ permission: 'edit_connections' })
  list(@Caller() actor: Actor, @AskedFor() asked: Asked) {
    return this.connectors.list(actor, KIND, asked);
  }

  @Item(issueTrackerConnectorProjection, {
    path: 'connectors/issue-tracker/:id',
    summary: 'Show a connector to an issue tracker',
  })
  @Access({ permission: 'edit_connections' })
  get(@Caller() actor: Actor, @Param('id') id: string, @AskedFor() asked: Asked) {
    return this.connectors.get(actor, KIND, id, asked);
  }

  @Create(issueTrackerConnectorProjection, {
    path: 'connectors/issue-tracker',
    status: 201,
    summary: 'Make a connector to an issue tracker',
  })
  @Access({ permission: 'edit_connections' })
  create(@Caller() actor: Actor, @Body() body: CreateIssueTrackerConnector, @AskedFor() asked: Asked) {
    return this.connectors.create(actor, KIND, body, asked);
  }

  @Change(issueTrackerConnectorProjection, {
    path: 'connectors/issue-tracker/:id',
    summary: 'Change a connector to an issue tracker',
  })
  @Access({ permission: 'edit_connections' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeIssueTrackerConnector,
    @AskedFor() asked: Asked,
  ) {
    return this.connectors.update(actor, KIND, id, body, asked);
  }

  @Action({
    method: 'POST',
    path: 'connectors/issue-tracker/test',
    status: 200,
    alone: true,
    summary: 'Ask an issue tracker whether it can be reached',
    answer: TEST_ANSWER,
  })
  @Access({ permission: 'edit_connections' })
  test(@Caller() actor: Actor, @Body() { system, params }: TestIssueTrackerConnection) {
    return this.connectors.test(actor, KIND, system.id, params);
  }

  @Remove(issueTrackerConnectorProjection, {
    path: 'connectors/issue-tracker/:id',
    summary: 'Delete a connector to an issue tracker',
  })
  @Access({ permission: 'edit_connections' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.connectors.remove(actor, KIND, id);
  }
}
