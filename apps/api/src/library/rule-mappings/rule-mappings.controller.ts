import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { ruleMappingProjection } from '#domain/library/rule-mapping/rule-mapping.projection.js';
import { FIXED_RULE_MAPPING } from '#domain/library/rule-mapping/rule-mapping.rules.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { notBuiltIn } from '../../http/routes/preconditions.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeRuleMapping, CreateRuleMapping } from './rule-mappings.dto.js';
import { RuleMappingsService } from './rule-mappings.service.js';

@ApiTags('Rule mappings')
@InFamily('library')
@Controller('library/rule-mappings')
export class RuleMappingsController {
  constructor(private readonly mappings: RuleMappingsService) {}

  @List(ruleMappingProjection, { summary: 'List the mappings of rules of scanners to weaknesses' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.mappings.list(readRequest);
  }

  @Item(ruleMappingProjection, { summary: 'Show a rule mapping' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.mappings.get(id, readRequest);
  }

  @Create(ruleMappingProjection, { status: 201, summary: 'Map rules of a scanner to a CWE or weakness' })
  @Access({ permission: 'customize_content' })
  create(@Caller() actor: Actor, @Body() body: CreateRuleMapping, @ReadRequest() readRequest: ReadRequest) {
    return this.mappings.create(actor, body, readRequest);
  }

  @Change(ruleMappingProjection, {
    summary: 'Change a custom rule mapping',
    preconditions: notBuiltIn(FIXED_RULE_MAPPING),
  })
  @Access({ permission: 'customize_content' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeRuleMapping,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.mappings.update(actor, id, body, readRequest);
  }

  @Remove(ruleMappingProjection, {
    summary: 'Delete a custom rule mapping',
    preconditions: notBuiltIn(FIXED_RULE_MAPPING),
  })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.mappings.remove(actor, id);
  }
}
