import { Module } from '@nestjs/common';
import { BusinessUnitsController } from './business-units.controller.js';
import { BusinessUnitsService } from './business-units.service.js';

@Module({ controllers: [BusinessUnitsController], providers: [BusinessUnitsService] })
export class BusinessUnitsModule {}
