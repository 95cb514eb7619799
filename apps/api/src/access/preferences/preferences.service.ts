import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changePreferences, preferencesOf } from '#domain/access/preferences/preferences.commands.js';
import type { Actor } from '#domain/kernel/actor.js';
import { forkInTransaction, inTransaction } from '#domain/kernel/transaction.js';

@Injectable()
export class PreferencesService {
  constructor(private readonly em: EntityManager) {}

  get(actor: Actor) {
    return preferencesOf(forkInTransaction(this.em), actor);
  }

  update(actor: Actor, changes: Readonly<Record<string, unknown>>) {
    return inTransaction(this.em, actor, (em) => changePreferences(em, actor, changes));
  }
}
