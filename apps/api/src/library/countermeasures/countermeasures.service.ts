import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createCountermeasures,
  removeCountermeasure,
  updateCountermeasures,
} from '#domain/library/countermeasure/countermeasure.commands.js';
import { countermeasureProjection } from '#domain/library/countermeasure/countermeasure.projection.js';
import { onlyRow } from '#domain/kernel/refused-rows.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, including } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeCountermeasure, CreateCountermeasure } from './countermeasures.dto.js';

@Injectable()
export class CountermeasuresService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, readRequest: ReadRequest): Promise<JsonText | JsonStream> {
    return this.reads.list(countermeasureProjection, actor, readRequest);
  }

  get(actor: Actor, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(countermeasureProjection, actor, id, readRequest);
  }

  create(actor: Actor, input: CreateCountermeasure, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await onlyRow(createCountermeasures(em, actor, [input]));
      return this.reads.item(countermeasureProjection, actor, id, including(readRequest, 'match_conditions'), em);
    });
  }

  update(actor: Actor, id: string, changes: ChangeCountermeasure, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await onlyRow(updateCountermeasures(em, actor, [{ id, changes }]));
      return this.reads.item(countermeasureProjection, actor, id, including(readRequest, 'match_conditions'), em);
    });
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeCountermeasure(em, actor, id));
  }
}
