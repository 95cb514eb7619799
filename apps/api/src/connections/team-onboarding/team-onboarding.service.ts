import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createScan } from '#domain/connections/scan/scan.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonList, JsonText } from '../../http/listing/answer.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { CreateScan } from './team-onboarding.dto.js';

@Injectable()
export class TeamOnboardingService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  listConnections(actor: Actor, readRequest: ReadRequest): Promise<JsonList> {
    return this.reads.list(actor, readRequest);
  }

  listScans(actor: Actor, readRequest: ReadRequest): Promise<JsonList> {
    return this.reads.list(actor, readRequest);
  }

  getScan(actor: Actor, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(actor, id, readRequest);
  }

  createScan(actor: Actor, input: CreateScan, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, actor, async (em) => {
      const id = await createScan(em, actor, input);
      return this.reads.item(actor, id, readRequest, em);
    });
  }
}
