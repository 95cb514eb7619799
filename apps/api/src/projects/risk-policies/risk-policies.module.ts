import { Module } from '@nestjs/common';
import { RiskPoliciesController } from './risk-policies.controller.js';
import { RiskPoliciesService } from './risk-policies.service.js';

@Module({ controllers: [RiskPoliciesController], providers: [RiskPoliciesService] })
export class RiskPoliciesModule {}
