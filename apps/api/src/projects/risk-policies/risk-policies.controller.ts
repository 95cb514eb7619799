import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { riskPolicyProjection } from '#domain/projects/risk-policy/risk-policy.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeRiskPolicy, CreateRiskPolicy } from './risk-policies.dto.js';
import { RiskPoliciesService } from './risk-policies.service.js';

@ApiTags('Risk policies')
@InFamily('projects')
@Controller('risk-policies')
export class RiskPoliciesController {
  constructor(private readonly riskPolicies: RiskPoliciesService) {}

  @List(riskPolicyProjection, { summary: 'List risk policies' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.riskPolicies.list(readRequest);
  }

  @Item(riskPolicyProjection, { summary: 'Show a risk policy' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.riskPolicies.get(id, readRequest);
  }

  @Create(riskPolicyProjection, { status: 201, summary: 'Create a risk policy' })
  @Access({ permission: 'manage_risk_policies' })
  create(@Caller() actor: Actor, @Body() body: CreateRiskPolicy, @ReadRequest() readRequest: ReadRequest) {
    return this.riskPolicies.create(actor, body, readRequest);
  }

  @Change(riskPolicyProjection, { summary: 'Change a risk policy' })
  @Access({ permission: 'manage_risk_policies' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeRiskPolicy,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.riskPolicies.update(actor, id, body, readRequest);
  }

  @Remove(riskPolicyProjection, { summary: 'Delete a risk policy' })
  @Access({ permission: 'manage_risk_policies' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.riskPolicies.remove(actor, id);
  }
}
