import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { type ConnectionResult, ConnectionTester } from '#domain/connections/connector/connection-tester.js';
import { createConnector, removeConnector, updateConnector } from '#domain/connections/connector/connector.commands.js';
import type { ConnectorInput } from '#domain/connections/connector/connector.fields.js';
import type { ConnectorKind, ConnectorParams } from '#domain/connections/connector/connector.rules.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { ResourceService } from '../../http/resources/resource.service.js';

@Injectable()
export class ConnectorsService extends ResourceService {
  constructor(
    em: EntityManager,
    reads: Reads,
    private readonly secrets: SecretBox,
    private readonly tester: ConnectionTester,
  ) {
    super(em, reads);
  }

  create(actor: Actor, kind: ConnectorKind, input: ConnectorInput, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createConnector(em, actor, kind, input, this.secrets));
  }

  update(
    actor: Actor,
    kind: ConnectorKind,
    id: string,
    changes: Partial<ConnectorInput>,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateConnector(em, actor, kind, id, changes, this.secrets));
  }

  remove(actor: Actor, kind: ConnectorKind, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeConnector(em, actor, kind, id));
  }

  test(actor: Actor, kind: ConnectorKind, system: string, params: ConnectorParams = {}): Promise<ConnectionResult> {
    return this.tester.test(actor, kind, system, params);
  }
}
