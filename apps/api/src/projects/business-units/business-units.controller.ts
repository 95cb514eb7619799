import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { businessUnitProjection } from '#domain/projects/business-unit/business-unit.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeBusinessUnit, CreateBusinessUnit } from './business-units.dto.js';
import { BusinessUnitsService } from './business-units.service.js';

@ApiTags('Business units')
@InFamily('projects')
@Controller('business-units')
export class BusinessUnitsController {
  constructor(private readonly businessUnits: BusinessUnitsService) {}

  @List(businessUnitProjection, { summary: 'List business units' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.businessUnits.list(readRequest);
  }

  @Item(businessUnitProjection, { summary: 'Show a business unit' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.businessUnits.get(id, readRequest);
  }

  @Create(businessUnitProjection, { status: 201, summary: 'Create a business unit' })
  @Access({ permission: 'add_business_unit' })
  create(@Caller() actor: Actor, @Body() body: CreateBusinessUnit, @ReadRequest() readRequest: ReadRequest) {
    return this.businessUnits.create(actor, body, readRequest);
  }

  @Change(businessUnitProjection, { summary: 'Change a business unit' })
  @Access({ permission: 'edit_business_unit' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeBusinessUnit,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.businessUnits.update(actor, id, body, readRequest);
  }

  @Remove(businessUnitProjection, { summary: 'Delete a business unit' })
  @Access({ permission: 'edit_business_unit' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.businessUnits.remove(actor, id);
  }
}
