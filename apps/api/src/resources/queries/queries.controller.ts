import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/actor.js';
import { reportProjection } from '#domain/report/report.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { type Asked, AskedFor } from '../../http/listing/asked.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeQuery, CreateQuery } from './queries.dto.js';
import { QueriesService } from './queries.service.js';

/** Advanced reports as they are saved. */
@ApiTags('Reports')
@Controller('queries')
export class QueriesController {
  constructor(private readonly queries: QueriesService) {}

  @List(reportProjection, { summary: 'List saved reports' })
  @Access()
  list(@Caller() actor: Actor, @AskedFor() asked: Asked) {
    return this.queries.list(actor, asked);
  }

  @Item(reportProjection, { summary: 'Show a saved report' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @AskedFor() asked: Asked) {
    return this.queries.get(actor, id, asked);
  }

  @Create(reportProjection, { status: 201, summary: 'Save a report' })
  @Access({ permission: 'edit_custom_reports' })
  create(@Caller() actor: Actor, @Body() body: CreateQuery, @AskedFor() asked: Asked) {
    return this.queries.create(actor, body, asked);
  }

  @Change(reportProjection, { summary: 'Change a saved report' })
  @Access({ permission: 'edit_custom_reports' })
  update(@Caller() actor: Actor, @Param('id') id: string, @Body() body: ChangeQuery, @AskedFor() asked: Asked) {
    return this.queries.update(actor, id, body, asked);
  }

  @Remove(reportProjection, { summary: 'Delete a saved report' })
  @Access({ permission: 'edit_custom_reports' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.queries.remove(actor, id);
  }
}
