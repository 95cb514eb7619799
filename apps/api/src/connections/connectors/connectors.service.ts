import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { type ConnectionResult, ConnectionTester } from '#domain/connections/connector/connection-tester.js';
import {
  type ConnectorInput,
  createConnector,
  removeConnector,
  updateConnector,
} from '#domain/connections/connector/connector.commands.js';
import type { ConnectorKind, ConnectorParams } from '#domain/connections/connector/connector.rules.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Secrets } from '../../secrets.js';

@Injectable()
export class ConnectorsService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
    private readonly secrets: Secrets,
    private readonly tester: ConnectionTester,
  ) {}

  list(actor: Actor, readRequest: ReadRequest): Promise<JsonText | JsonStream> {
    return this.reads.list(actor, readRequest);
  }

  get(actor: Actor, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(actor, id, readRequest);
  }

  create(actor: Actor, kind: ConnectorKind, input: ConnectorInput, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createConnector(em, actor, kind, input, this.secrets);
      return this.reads.item(actor, id, readRequest, em);
    });
  }

  update(
    actor: Actor,
    kind: ConnectorKind,
    id: string,
    changes: Partial<ConnectorInput>,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateConnector(em, actor, kind, id, changes, this.secrets);
      return this.reads.item(actor, id, readRequest, em);
    });
  }

  remove(actor: Actor, kind: ConnectorKind, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeConnector(em, actor, kind, id));
  }

  test(actor: Actor, kind: ConnectorKind, system: string, params: ConnectorParams = {}): Promise<ConnectionResult> {
    return this.tester.test(actor, kind, system, params);
  }
}
