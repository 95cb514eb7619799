import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { pictureOf } from '#domain/component/component-icon.picture.js';

@Injectable()
export class PicturesService {
  constructor(private readonly em: EntityManager) {}

  get(slug: string): Promise<string> {
    return pictureOf(this.em.fork(), slug);
  }
}
