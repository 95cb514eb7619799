import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { createWeakness, removeWeakness, updateWeakness } from '#domain/library/weakness/weakness.commands.js';
import { weaknessProjection } from '#domain/library/weakness/weakness.projection.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import { type Asked, including } from '../../http/listing/asked.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeWeakness, CreateWeakness, RemoveWeakness } from './weaknesses.dto.js';

@Injectable()
export class WeaknessesService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, asked: Asked): Promise<JsonText | JsonStream> {
    return this.reads.list(weaknessProjection, actor, asked);
  }

  get(actor: Actor, id: string, asked: Asked): Promise<JsonText> {
    return this.reads.item(weaknessProjection, actor, id, asked);
  }

  create(actor: Actor, input: CreateWeakness, asked: Asked): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createWeakness(em, actor, input);
      return this.reads.item(weaknessProjection, actor, id, including(asked, 'match_conditions'), em);
    });
  }

  update(actor: Actor, id: string, changes: ChangeWeakness, asked: Asked): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateWeakness(em, actor, id, changes);
      return this.reads.item(weaknessProjection, actor, id, including(asked, 'match_conditions'), em);
    });
  }

  remove(actor: Actor, id: string, { new_weakness_id: successor }: RemoveWeakness): Promise<void> {
    return inTransaction(this.em, (em) => removeWeakness(em, actor, id, successor));
  }
}
