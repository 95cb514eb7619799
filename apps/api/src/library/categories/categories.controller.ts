import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { categoryProjection } from '#domain/library/category/category.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { List } from '../../http/routes/route.decorators.js';

@ApiTags('Categories')
@Controller('library/categories')
export class CategoriesController {
  constructor(private readonly reads: Reads) {}

  @List(categoryProjection, { summary: 'List categories' })
  @Access()
  list(@Caller() actor: Actor, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(actor, readRequest);
  }
}
