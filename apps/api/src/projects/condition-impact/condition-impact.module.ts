import { Module } from '@nestjs/common';
import { ConditionImpactController } from './condition-impact.controller.js';
import { ConditionImpactService } from './condition-impact.service.js';

@Module({ controllers: [ConditionImpactController], providers: [ConditionImpactService] })
export class ConditionImpactModule {}
