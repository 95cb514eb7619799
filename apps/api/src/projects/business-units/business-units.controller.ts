import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { businessUnitProjection } from '#domain/projects/business-unit/business-unit.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { type Asked, AskedFor } from '../../http/listing/asked.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeBusinessUnit, CreateBusinessUnit } from './business-units.dto.js';
import { BusinessUnitsService } from './business-units.service.js';

@ApiTags('Business units')
@Controller('business-units')
export class BusinessUnitsController {
  constructor(private readonly businessUnits: BusinessUnitsService) {}

  @List(businessUnitProjection, { summary: 'List business units' })
  @Access()
  list(@Caller() actor: Actor, @AskedFor() asked: Asked) {
    return this.businessUnits.list(actor, asked);
  }

  @Item(businessUnitProjection, { summary: 'Show a business unit' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @AskedFor() asked: Asked) {
    return this.businessUnits.get(actor, id, asked);
  }

  @Create(businessUnitProjection, { status: 201, summary: 'Make a business unit' })
  @Access({ permission: 'add_business_unit' })
  create(@Caller() actor: Actor, @Body() body: CreateBusinessUnit, @AskedFor() asked: Asked) {
    return this.businessUnits.create(actor, body, asked);
  }

  @Change(businessUnitProjection, { summary: 'Change a business unit' })
  @Access({ permission: 'edit_business_unit' })
  update(@Caller() actor: Actor, @Param('id') id: string, @Body() body: ChangeBusinessUnit, @AskedFor() asked: Asked) {
    return this.businessUnits.update(actor, id, body, asked);
  }

  @Remove(businessUnitProjection, { summary: 'Delete a business unit' })
  @Access({ permission: 'edit_business_unit' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.businessUnits.remove(actor, id);
  }
}
