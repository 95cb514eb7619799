import { Module } from '@nestjs/common';
import { ConnectionTester } from '#domain/connections/connector/connection-tester.js';
import { Settings } from '#platform/injected.js';
import { AnalysisConnectorsController } from './analysis-connectors.controller.js';
import { ConnectorsService } from './connectors.service.js';
import { IssueTrackerConnectorsController } from './issue-tracker-connectors.controller.js';

@Module({
  controllers: [AnalysisConnectorsController, IssueTrackerConnectorsController],
  providers: [
    ConnectorsService,
    {
      provide: ConnectionTester,
      inject: [Settings],
      useFactory: (settings: Settings) => new ConnectionTester(settings),
    },
  ],
})
export class ConnectorsModule {}
