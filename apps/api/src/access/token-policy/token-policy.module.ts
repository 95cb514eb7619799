import { Module } from '@nestjs/common';
import { TokenPolicyController } from './token-policy.controller.js';
import { TokenPolicyService } from './token-policy.service.js';

@Module({ controllers: [TokenPolicyController], providers: [TokenPolicyService] })
export class TokenPolicyModule {}
