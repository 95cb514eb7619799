import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';
import { resolveRiskPolicy } from '#domain/projects/risk-policy/find-risk-policy.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import type { JsonText } from '../../http/listing/responses.js';
import { Reads } from '../../http/listing/reads.service.js';

@Injectable()
export class ProjectGateService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  /** Evaluates the gate of a project now. Throws `NotFound`, and `Invalid` if the policy does not exist. */
  async evaluate(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText> {
    const gate = await this.reads.item(project, readRequest);
    const policy = readRequest.query.filterValues.get('policy')?.[0];
    if (policy !== undefined) await resolveRiskPolicy(forkInTransaction(this.em), actor, 'policy', Number(policy));
    return gate;
  }
}
