import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { forkOutsideTransaction, inTransaction } from '#domain/kernel/transaction.js';
import type { Projection } from '#query/projection.js';
import type { Scope } from '#query/query-context.js';
import { PrincipalCache } from '../access/principal-cache.js';
import { ItemHasChanged } from '../errors/error-response.js';
import { Reads } from '../listing/reads.service.js';
import { allowsChangeOf } from '../entity-tags.js';

/** The item that a request changes, as its caller sees it. */
export interface ChangedItem {
  readonly id: string;
  readonly projection: Projection;
  readonly scope: Scope;
  readonly origin: string;
}

/** Changes of items that must not overwrite a change that the caller has not seen. */
@Injectable()
export class ConditionalChanges {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
    private readonly principals: PrincipalCache,
  ) {}

  /**
   * Runs a change in a transaction, and commits it only if the committed item still has a tag of `If-Match`. The item
   * is read after the change, on another connection: then the change holds its locks, so that no one else can commit a
   * change of the item before this one ends. Throws `ItemHasChanged`.
   */
  run<T>(actor: Actor, item: ChangedItem, ifMatch: string, change: () => Promise<T>): Promise<T> {
    const changed = inTransaction(this.em, actor, async () => {
      const result = await change();
      const { text, etag = '' } = await this.reads.plainItem(item.id, item, forkOutsideTransaction(this.em));
      if (!allowsChangeOf(ifMatch, etag)) throw new ItemHasChanged(JSON.parse(text));
      return result;
    });
    return this.principals.forgetAgainAfter(changed);
  }
}
