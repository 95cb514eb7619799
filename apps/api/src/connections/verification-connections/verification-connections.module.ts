import { Module } from '@nestjs/common';
import { VerificationConnectionsController } from './verification-connections.controller.js';
import { VerificationConnectionsService } from './verification-connections.service.js';

@Module({ controllers: [VerificationConnectionsController], providers: [VerificationConnectionsService] })
export class VerificationConnectionsModule {}
