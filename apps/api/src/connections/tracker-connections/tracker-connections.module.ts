import { Module } from '@nestjs/common';
import { TrackerOpener } from '#domain/connections/tracker-sync/tracker-opener.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import { TrackedIssuesController } from './tracked-issues.controller.js';
import { TrackedIssuesService } from './tracked-issues.service.js';
import { TrackerConnectionsController } from './tracker-connections.controller.js';
import { TrackerConnectionsService } from './tracker-connections.service.js';

@Module({
  controllers: [TrackerConnectionsController, TrackedIssuesController],
  providers: [
    TrackerConnectionsService,
    TrackedIssuesService,
    {
      provide: TrackerOpener,
      inject: [Settings, SecretBox],
      useFactory: (settings: Settings, secrets: SecretBox) => new TrackerOpener(settings, secrets),
    },
  ],
})
export class TrackerConnectionsModule {}
