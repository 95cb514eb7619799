import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { analysisConnectorProjection } from '#domain/connections/connector/connector.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Action, Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import {
  ChangeAnalysisConnector,
  CreateAnalysisConnector,
  TestAnalysisConnection,
  TEST_RESPONSE,
} from './connectors.dto.js';
import { ConnectorsService } from './connectors.service.js';

const KIND = 'analysis';

@ApiTags('Connectors')
@Access({ permission: 'edit_connections' })
@InFamily('connections')
@Controller()
export class AnalysisConnectorsController {
  constructor(private readonly connectors: ConnectorsService) {}

  @List(analysisConnectorProjection, { path: 'connectors/analysis', summary: 'List connectors to verification tools' })
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.connectors.list(readRequest);
  }

  @Item(analysisConnectorProjection, {
    path: 'connectors/analysis/:id',
    summary: 'Show a connector to a verification tool',
  })
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.connectors.get(id, readRequest);
  }

  @Create(analysisConnectorProjection, {
    path: 'connectors/analysis',
    status: 201,
    summary: 'Create a connector to a verification tool',
  })
  create(@Caller() actor: Actor, @Body() body: CreateAnalysisConnector, @ReadRequest() readRequest: ReadRequest) {
    return this.connectors.create(actor, KIND, body, readRequest);
  }

  @Change(analysisConnectorProjection, {
    path: 'connectors/analysis/:id',
    summary: 'Change a connector to a verification tool',
  })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeAnalysisConnector,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.connectors.update(actor, KIND, id, body, readRequest);
  }

  @Action({
    method: 'POST',
    path: 'connections/test-analysis',
    status: 200,
    nonComposable: true,
    success: 'The result of the test: whether the tool answered, and what it said.',
    summary: 'Test the connection to a verification tool; nothing is imported',
    responseSchema: TEST_RESPONSE,
  })
  test(@Caller() actor: Actor, @Body() { system, params }: TestAnalysisConnection) {
    return this.connectors.test(actor, KIND, system.id, params);
  }

  @Remove(analysisConnectorProjection, {
    path: 'connectors/analysis/:id',
    summary: 'Delete a connector to a verification tool',
  })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.connectors.remove(actor, KIND, id);
  }
}
