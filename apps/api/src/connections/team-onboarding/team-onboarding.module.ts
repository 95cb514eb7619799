import { Module } from '@nestjs/common';
import { TeamOnboardingController } from './team-onboarding.controller.js';
import { TeamOnboardingService } from './team-onboarding.service.js';

@Module({ controllers: [TeamOnboardingController], providers: [TeamOnboardingService] })
export class TeamOnboardingModule {}
