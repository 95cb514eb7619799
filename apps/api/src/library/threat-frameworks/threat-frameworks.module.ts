import { Module } from '@nestjs/common';
import { ThreatFrameworksController } from './threat-frameworks.controller.js';

@Module({ controllers: [ThreatFrameworksController] })
export class ThreatFrameworksModule {}
