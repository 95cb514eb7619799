import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { glossaryTermProjection } from '#domain/library/glossary-term/glossary-term.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { type Asked, AskedFor } from '../../http/listing/asked.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { Item, List } from '../../http/routes/route.decorators.js';

@ApiTags('Glossary')
@Controller('library/glossary-terms')
export class GlossaryTermsController {
  constructor(private readonly reads: Reads) {}

  @List(glossaryTermProjection, { summary: 'List glossary terms' })
  @Access()
  list(@Caller() actor: Actor, @AskedFor() asked: Asked) {
    return this.reads.list(glossaryTermProjection, actor, asked);
  }

  @Item(glossaryTermProjection, { summary: 'Show a glossary term' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @AskedFor() asked: Asked) {
    return this.reads.item(glossaryTermProjection, actor, id, asked);
  }
}
