import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { Scope } from '#query/query-context.js';
import type { JsonList, JsonText } from '../listing/answer.js';
import type { ReadRequest } from '../listing/read-request.js';
import { Reads } from '../listing/reads.service.js';

/** What services of resources share: the reads of a route's projection, and writes that answer the item. */
@Injectable()
export class ResourceService {
  constructor(
    protected readonly em: EntityManager,
    protected readonly reads: Reads,
  ) {}

  list(viewer: Scope, readRequest: ReadRequest): Promise<JsonList> {
    return this.reads.list(viewer, readRequest);
  }

  get(viewer: Scope, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(viewer, id, readRequest);
  }

  /** Runs a command that creates an item and returns its id; answers the item, read in the same transaction. */
  protected createAndRead(
    viewer: Scope,
    readRequest: ReadRequest,
    create: (em: EntityManager) => Promise<string>,
  ): Promise<JsonText> {
    return inTransaction(this.em, viewer, async (em) => this.reads.item(viewer, await create(em), readRequest, em));
  }

  /** Runs a command that changes this item; answers the item, read in the same transaction. */
  protected changeAndRead(
    viewer: Scope,
    id: string,
    readRequest: ReadRequest,
    change: (em: EntityManager) => Promise<unknown>,
  ): Promise<JsonText> {
    return inTransaction(this.em, viewer, async (em) => {
      await change(em);
      return this.reads.item(viewer, id, readRequest, em);
    });
  }
}
