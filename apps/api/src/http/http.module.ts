import { Global, Logger, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { FairSlots } from '#platform/fair-slots.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import { MarkdownThreads } from '#platform/markdown/markdown-threads.js';
import { Reader } from '#query/reader.js';
import { AccessGuard } from './access/access.guard.js';
import { AccessLookups } from './access/access-lookups.service.js';
import { Authentication } from './access/authentication.service.js';
import { DeclaredAccess } from './access/declared-access.js';
import { FailureLimit } from './access/failure-limit.js';
import { Passwords } from './access/passwords.service.js';
import { PrincipalCache } from './access/principal-cache.js';
import { ReportTokens } from './access/report-tokens.service.js';
import { Sessions } from './access/sessions.service.js';
import { SharedLimits } from './shares/shared-limits.service.js';
import { BodyPipe } from './body/body.pipe.js';
import { ErrorFilter } from './errors/error.filter.js';
import { Origin } from './origin.js';
import { Cursors } from './listing/cursors.service.js';
import { Reads } from './listing/reads.service.js';
import { NonComposableRoutes } from './in-process/non-composable-routes.js';
import { InProcessDispatcher } from './in-process/in-process-dispatcher.js';
import { BodyReader } from './media/body-reader.service.js';
import { MediaGuard } from './media/media.guard.js';
import { IndexController } from './operations/index.controller.js';
import { RequestMetrics } from './operations/metrics.js';
import { OperationsController } from './operations/operations.controller.js';
import { ConditionalChanges } from './pipeline/conditional-changes.service.js';
import { IdempotentRequests } from './pipeline/idempotent-requests.service.js';
import { ResponsePresenter } from './pipeline/response-presenter.js';
import { RouteInterceptor } from './pipeline/route.interceptor.js';
import { AddressLimits } from './shares/address-limits.js';
import { RequestLimit } from './shares/request-limit.js';
import { RequestSlots } from './shares/request-slots.js';
import { PendingResponses } from './shares/pending-responses.js';

/** Shared by all resources. Every request passes these layers in this order: access, media, parameters, body. */
@Global()
@Module({
  imports: [DiscoveryModule, TerminusModule.forRoot({ logger: false })],
  controllers: [OperationsController, IndexController],
  providers: [
    ResponsePresenter,
    AccessLookups,
    AddressLimits,
    Authentication,
    BodyReader,
    ConditionalChanges,
    Cursors,
    DeclaredAccess,
    FailureLimit,
    IdempotentRequests,
    NonComposableRoutes,
    InProcessDispatcher,
    Passwords,
    PrincipalCache,
    Origin,
    Reads,
    ReportTokens,
    RequestLimit,
    RequestMetrics,
    RequestSlots,
    Sessions,
    SharedLimits,
    PendingResponses,
    {
      provide: MarkdownThreads,
      inject: [Settings],
      useFactory: ({ markdownImageHosts }: Settings) => {
        const logger = new Logger(MarkdownThreads.name);
        return new MarkdownThreads({ imageHosts: markdownImageHosts, warn: (message) => logger.warn(message) });
      },
    },
    {
      provide: Reader,
      inject: [Settings, SecretBox, MarkdownThreads],
      useFactory: ({ maxStreams }: Settings, secrets: SecretBox, markdown: MarkdownThreads) => {
        const listSlots = new FairSlots({ slots: maxStreams, waitMilliseconds: 0, queueLength: 0 });
        return new Reader({
          markdown,
          acquireListSlot: (organization) => listSlots.acquireNow(organization),
          decryptSecret: (sealed, purpose) => secrets.open(sealed, purpose),
        });
      },
    },
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: MediaGuard },
    { provide: APP_INTERCEPTOR, useClass: RouteInterceptor },
    { provide: APP_PIPE, useClass: BodyPipe },
  ],
  exports: [
    Authentication,
    AccessLookups,
    BodyReader,
    NonComposableRoutes,
    InProcessDispatcher,
    MarkdownThreads,
    FailureLimit,
    Passwords,
    PrincipalCache,
    Origin,
    Reads,
    ReportTokens,
    RequestLimit,
    RequestMetrics,
    Sessions,
    SharedLimits,
  ],
})
export class HttpModule {}
