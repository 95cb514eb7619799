import { Module } from '@nestjs/common';
import { ConnectionTester } from '#domain/connections/connector/connection-tester.js';
import { TrackerOpener } from '#domain/connections/tracker-sync/tracker-opener.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import { AnalysisConnectorsController } from './connectors/analysis-connectors.controller.js';
import { ConnectorsService } from './connectors/connectors.service.js';
import { IssueTrackerConnectorsController } from './connectors/issue-tracker-connectors.controller.js';
import { TeamOnboardingController } from './team-onboarding/team-onboarding.controller.js';
import { TeamOnboardingService } from './team-onboarding/team-onboarding.service.js';
import { TrackedIssuesController } from './tracker-connections/tracked-issues.controller.js';
import { TrackedIssuesService } from './tracker-connections/tracked-issues.service.js';
import { TrackerConnectionsController } from './tracker-connections/tracker-connections.controller.js';
import { TrackerConnectionsService } from './tracker-connections/tracker-connections.service.js';
import { VerificationConnectionsController } from './verification-connections/verification-connections.controller.js';
import { VerificationConnectionsService } from './verification-connections/verification-connections.service.js';

/** Every resource of connections. */
@Module({
  controllers: [
    AnalysisConnectorsController,
    IssueTrackerConnectorsController,
    TeamOnboardingController,
    TrackedIssuesController,
    TrackerConnectionsController,
    VerificationConnectionsController,
  ],
  providers: [
    ConnectorsService,
    TeamOnboardingService,
    TrackedIssuesService,
    TrackerConnectionsService,
    VerificationConnectionsService,
    {
      provide: ConnectionTester,
      inject: [Settings],
      useFactory: (settings: Settings) => new ConnectionTester(settings),
    },
    {
      provide: TrackerOpener,
      inject: [Settings, SecretBox],
      useFactory: (settings: Settings, secrets: SecretBox) => new TrackerOpener(settings, secrets),
    },
  ],
})
export class ConnectionsModule {}
