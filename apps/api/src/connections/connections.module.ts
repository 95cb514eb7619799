import { Module } from '@nestjs/common';
import { ConnectionTester } from '#domain/connections/connector/connection-tester.js';
import { Settings } from '#platform/injected.js';
import { AnalysisConnectorsController } from './connectors/analysis-connectors.controller.js';
import { ConnectorsService } from './connectors/connectors.service.js';
import { IssueTrackerConnectorsController } from './connectors/issue-tracker-connectors.controller.js';
import { TeamOnboardingController } from './team-onboarding/team-onboarding.controller.js';
import { TeamOnboardingService } from './team-onboarding/team-onboarding.service.js';

@Module({
  controllers: [AnalysisConnectorsController, IssueTrackerConnectorsController, TeamOnboardingController],
  providers: [
    ConnectorsService,
    {
      provide: ConnectionTester,
      inject: [Settings],
      useFactory: (settings: Settings) => new ConnectionTester(settings),
    },
    TeamOnboardingService,
  ],
})
export class ConnectionsModule {}
