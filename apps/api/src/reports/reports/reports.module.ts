import { Module } from '@nestjs/common';
import { AuthTokenController } from './auth-token.controller.js';
import { CubeController } from './cube.controller.js';
import { ReportsService } from './reports.service.js';

@Module({ controllers: [AuthTokenController, CubeController], providers: [ReportsService] })
export class ReportsModule {}
