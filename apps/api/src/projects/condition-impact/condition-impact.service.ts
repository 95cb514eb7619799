import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { inRolledBackTransaction } from '#domain/kernel/transaction.js';
import { type ConditionImpact, conditionImpact } from '#domain/projects/project-content/condition-impact.js';
import type { AssessConditions } from './condition-impact.dto.js';

@Injectable()
export class ConditionImpactService {
  constructor(private readonly em: EntityManager) {}

  assess(actor: Actor, id: string, { match_conditions: conditions }: AssessConditions): Promise<ConditionImpact> {
    return inRolledBackTransaction(this.em, actor, (em) => conditionImpact(em, actor, id, conditions));
  }
}
