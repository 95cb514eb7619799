import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  regulationCoverageProjection,
  sumUpCoverage,
} from '#domain/projects/regulation-coverage/regulation-coverage.projection.js';
import { sessionOf } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import { type Asked, within } from '../../http/listing/asked.js';
import { Reads } from '../../http/listing/reads.service.js';

@Injectable()
export class RegulationCoverageService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  async list(actor: Actor, regulation: string, asked: Asked): Promise<JsonText | JsonStream> {
    const em = sessionOf(this.em);
    const summary = await sumUpCoverage(em, actor, regulation, asked.view.filtered);
    return this.reads.list(regulationCoverageProjection, within(actor, regulation), asked, em, { summary });
  }
}
