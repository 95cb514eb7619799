import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { connectionProjection } from '#domain/connections/connector/connector.projection.js';
import { createScan } from '#domain/connections/scan/scan.commands.js';
import { scanProjection } from '#domain/connections/scan/scan.projection.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import type { Asked } from '../../http/listing/asked.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { CreateScan } from './team-onboarding.dto.js';

@Injectable()
export class TeamOnboardingService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  listConnections(actor: Actor, asked: Asked): Promise<JsonText | JsonStream> {
    return this.reads.list(connectionProjection, actor, asked);
  }

  listScans(actor: Actor, asked: Asked): Promise<JsonText | JsonStream> {
    return this.reads.list(scanProjection, actor, asked);
  }

  getScan(actor: Actor, id: string, asked: Asked): Promise<JsonText> {
    return this.reads.item(scanProjection, actor, id, asked);
  }

  createScan(actor: Actor, input: CreateScan, asked: Asked): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createScan(em, actor, input);
      return this.reads.item(scanProjection, actor, id, asked, em);
    });
  }
}
