import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { summarizeCoverage } from '#domain/projects/regulation-coverage/regulation-coverage.projection.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';
import type { ListResponse } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';

@Injectable()
export class RegulationCoverageService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  async list(actor: Actor, regulation: string, readRequest: ReadRequest): Promise<ListResponse> {
    const em = forkInTransaction(this.em);
    const summary = await summarizeCoverage(em, actor, regulation, readRequest.query.filterValues);
    return this.reads.list(readRequest, em, { summary });
  }
}
