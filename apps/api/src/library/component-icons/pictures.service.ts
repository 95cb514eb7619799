import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { pictureOf } from '#domain/library/component/component-icon.picture.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';

@Injectable()
export class PicturesService {
  constructor(private readonly em: EntityManager) {}

  get(slug: string): Promise<string> {
    return pictureOf(forkInTransaction(this.em), slug);
  }
}
