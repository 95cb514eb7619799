import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '#domain/kernel/transaction.js';
import { type ListResponse, JsonText } from '../listing/responses.js';
import type { ReadRequest } from '../listing/read-request.js';
import { Reads } from '../listing/reads.service.js';

/** Shared by services of resources: reads by the route's projection, and writes that return the item. */
@Injectable()
export class ResourceService {
  constructor(
    protected readonly em: EntityManager,
    protected readonly reads: Reads,
  ) {}

  list(readRequest: ReadRequest): Promise<ListResponse> {
    return this.reads.list(readRequest);
  }

  get(id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(id, readRequest);
  }

  /** Runs a command that creates an item and returns its id. Returns the item, read in the same transaction. */
  protected createAndRead(readRequest: ReadRequest, create: (em: EntityManager) => Promise<string>): Promise<JsonText> {
    return inTransaction(this.em, readRequest.scope, async (em) => this.reads.item(await create(em), readRequest, em));
  }

  /** Runs a command that changes this item. Returns the item, read in the same transaction. */
  protected changeAndRead(
    id: string,
    readRequest: ReadRequest,
    change: (em: EntityManager) => Promise<unknown>,
  ): Promise<JsonText> {
    return inTransaction(this.em, readRequest.scope, async (em) => {
      await change(em);
      return this.reads.item(id, readRequest, em);
    });
  }

  /** The item with fields that can't be read later, such as a secret that was just made. */
  protected async readWith(
    em: EntityManager,
    id: string,
    shownOnce: object,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    const item = await this.reads.item(id, readRequest, em);
    const fields: unknown = JSON.parse(item.text);
    return new JsonText(JSON.stringify(Object.assign({}, fields, shownOnce)));
  }
}
