import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import type { AutomationEvent } from '#domain/notifications/automation/trigger-event.fields.js';
import { triggerEvent } from '#domain/notifications/automation/trigger-event.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { TriggerEvent } from './automation.dto.js';

/** An event that was accepted. */
export interface AcceptedEvent {
  readonly id: number;
  readonly event: AutomationEvent;
  readonly status: 'accepted';
}

@Injectable()
export class AutomationService {
  constructor(private readonly em: EntityManager) {}

  async trigger(actor: Actor, body: TriggerEvent): Promise<AcceptedEvent> {
    const id = await inTransaction(this.em, actor, (em) => triggerEvent(em, actor, body));
    return { id, event: body.event, status: 'accepted' };
  }
}
