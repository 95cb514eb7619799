import { Module } from '@nestjs/common';
import { GlobalRolesController } from './global-roles.controller.js';
import { GlobalRolesService } from './global-roles.service.js';

@Module({ controllers: [GlobalRolesController], providers: [GlobalRolesService] })
export class GlobalRolesModule {}
