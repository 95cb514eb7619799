import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { requirementProjection } from '#domain/library/additional-requirement/additional-requirement.projection.js';
import { countermeasureProjection } from '#domain/library/countermeasure/countermeasure.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { isRemovable } from '../../http/routes/preconditions.js';
import { Change, Create, Item, List, Remove, Reorder } from '../../http/routes/route.decorators.js';
import {
  ChangeAdditionalRequirement,
  CreateAdditionalRequirement,
  OrderAdditionalRequirements,
} from './additional-requirements.dto.js';
import { AdditionalRequirementsService } from './additional-requirements.service.js';

const COUNTERMEASURE = [{ parameter: 'task', projection: countermeasureProjection }];

@ApiTags('Additional requirements')
@InFamily('library')
@Controller('library/tasks/:task/amendments')
export class AdditionalRequirementsController {
  constructor(private readonly requirements: AdditionalRequirementsService) {}

  @List(requirementProjection, {
    within: COUNTERMEASURE,
    summary: 'List the additional requirements of a countermeasure',
  })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.requirements.list(readRequest);
  }

  @Item(requirementProjection, { within: COUNTERMEASURE, summary: 'Show an additional requirement' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.requirements.get(id, readRequest);
  }

  @Create(requirementProjection, {
    within: COUNTERMEASURE,
    status: 200,
    summary: 'Create a custom additional requirement',
  })
  @Access({ permission: 'customize_content' })
  create(
    @Caller() actor: Actor,
    @Param('task') task: string,
    @Body() body: CreateAdditionalRequirement,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.requirements.create(actor, task, body, readRequest);
  }

  @Reorder(requirementProjection, {
    within: COUNTERMEASURE,
    summary: 'Reorder the additional requirements',
  })
  @Access({ permission: 'customize_content' })
  order(
    @Caller() actor: Actor,
    @Param('task') task: string,
    @Body() body: OrderAdditionalRequirements,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.requirements.order(actor, task, body, readRequest);
  }

  @Change(requirementProjection, { within: COUNTERMEASURE, summary: 'Change an additional requirement' })
  @Access({ permission: 'customize_content' })
  update(
    @Caller() actor: Actor,
    @Param('task') task: string,
    @Param('id') id: string,
    @Body() body: ChangeAdditionalRequirement,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.requirements.update(actor, task, id, body, readRequest);
  }

  @Remove(requirementProjection, {
    within: COUNTERMEASURE,
    summary: 'Delete a custom additional requirement, or restore a built-in one',
    preconditions: isRemovable('additional_requirement'),
  })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('task') task: string, @Param('id') id: string) {
    return this.requirements.remove(actor, task, id);
  }
}
