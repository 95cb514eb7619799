import { Module } from '@nestjs/common';
import { AdditionalRequirementsController } from './additional-requirements.controller.js';
import { AdditionalRequirementsService } from './additional-requirements.service.js';

@Module({ controllers: [AdditionalRequirementsController], providers: [AdditionalRequirementsService] })
export class AdditionalRequirementsModule {}
