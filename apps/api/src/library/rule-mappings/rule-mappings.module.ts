import { Module } from '@nestjs/common';
import { RuleMappingsController } from './rule-mappings.controller.js';
import { RuleMappingsService } from './rule-mappings.service.js';

@Module({ controllers: [RuleMappingsController], providers: [RuleMappingsService] })
export class RuleMappingsModule {}
