import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Configuration } from '#platform/configuration.js';
import { NestLogger } from '#platform/nest-logger.js';
import { once } from '#platform/once.js';
import { telemetryIsOn } from '#platform/telemetry/telemetry.js';
import { OidcSignIn } from './access/oidc/oidc-sign-in.service.js';
import { serveOidcPages } from './access/oidc/oidc-pages.js';
import { serveInvitationPage } from './access/sign-in/invitation-page.js';
import { serveSetupPage } from './access/sign-in/setup-page.js';
import { ApiModule } from './api.module.js';
import { McpEndpoint } from './mcp/mcp-endpoint.service.js';
import { serveMcp } from './mcp/serve-mcp.js';
import { serveConsole } from './console/console.js';
import { Authentication } from './http/access/authentication.service.js';
import { Sessions } from './http/access/sessions.service.js';
import { insecureCookieWarning } from './http/access/session-cookie.js';
import { compressed } from './http/compression.js';
import { Origin } from './http/origin.js';
import { rejectExpectation, respondToUnreadable } from './http/errors/malformed-requests.js';
import { compressedDocument } from './http/operations/compressed-document.js';
import { documentTag } from './http/operations/document-tag.js';
import { RequestMetrics } from './http/operations/metrics.js';
import { requestSpan } from './http/operations/request-span.js';
import { requestContext } from './http/request-context.js';
import { SWAGGER_UI } from './http/openapi/swagger-ui.js';
import type { RoutePath } from './http/routes/routes.js';
import { RoutingAdapter } from './http/routes/routing-adapter.js';
import { IGNORED_PARAMETERS } from './http/pipeline/ignored-parameters.js';
import { routing } from './http/pipeline/routing.js';
import { AddressLimits } from './http/shares/address-limits.js';
import { responseSecurity, pageSecurity } from './http/security-headers.js';
import { EventHub } from './notifications/events/event-hub.service.js';
import { buildDocument } from './openapi.js';

export interface Api {
  readonly app: NestExpressApplication;
  readonly server: Express;
  /** Every path with its methods. */
  readonly routes: readonly RoutePath[];
  /** Accepts no new requests, lets running ones finish within the configured time, and closes all connections. */
  readonly close: () => Promise<void>;
}

/** Builds the API, ready to listen. */
export async function createApi(configuration: Configuration, logger: Logger): Promise<Api> {
  const server = express();
  // Before anything is mounted: Express reads these settings when it creates its router.
  server
    .enable('case sensitive routing')
    .disable('x-powered-by')
    .disable('etag')
    .set('trust proxy', configuration.trustedProxies);
  const isTrusted = server.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const adapter = new RoutingAdapter(server, { ...configuration, isProxy: (address) => isTrusted(address, 0) });
  const app = await NestFactory.create<NestExpressApplication>(ApiModule.with(configuration), adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    forceCloseConnections: false,
    // Otherwise Nest would exit the process, and a failing test would not show which provider is missing.
    abortOnError: false,
  });
  const cookieWarning = insecureCookieWarning(configuration);
  if (cookieWarning !== undefined) logger.warn(cookieWarning);
  const { find, run } = routing(adapter.routes, app.get(Authentication));
  app.use(responseSecurity);
  app.use(requestContext(logger, app.get(Origin), app.get(RequestMetrics)));
  if (telemetryIsOn()) app.use(requestSpan);
  if (configuration.corsOrigins.length)
    app.enableCors({
      origin: [...configuration.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      exposedHeaders: [
        'X-Request-Id',
        'Preference-Applied',
        IGNORED_PARAMETERS,
        'ETag',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
      ],
      maxAge: 600,
      preflightContinue: true,
    });
  app.use(app.get(AddressLimits).middleware);
  app.use(find);
  app.use(compressed);
  app.use('/docs', pageSecurity);
  app.setGlobalPrefix('api/v2', {
    exclude: [
      'healthz',
      'readyz',
      'metrics',
      'static/*path',
      'activity-redirect/*path',
      'cubejs-api/*path',
      'auth/*path',
    ],
  });
  const document = once(() => buildDocument(app));
  app.use(['/openapi.json', '/docs'], documentTag(document));
  app.use('/openapi.json', compressedDocument(document));
  app.use(run); // before the files of Swagger UI, whose folder has the path of its page
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    ...SWAGGER_UI,
  });
  serveSetupPage(adapter);
  serveInvitationPage(adapter);
  serveMcp(adapter, app.get(McpEndpoint));
  serveOidcPages(adapter, app.get(OidcSignIn), app.get(Sessions));
  // The console is no controller, since the API has resources at the same paths below its prefix.
  const { respondToUnknown } = serveConsole(adapter);
  const http: Server = app.getHttpServer();
  http.on('clientError', respondToUnreadable).on('checkExpectation', rejectExpectation);
  await app.init();
  // Requests that no route has handled, inside or outside of the API.
  server.use(respondToUnknown);
  server.use((_request, response) => void response.status(404).json({ detail: 'Not found.' }));

  const close = async (): Promise<void> => {
    app.get(EventHub).endAll();
    const drained = new Promise<void>((resolve) => http.close(() => resolve()));
    http.closeIdleConnections();
    http.keepAliveTimeout = 1; // busy connections close after their current response
    const timeout = setTimeout(() => http.closeAllConnections(), configuration.shutdownGraceSeconds * 1000);
    await drained;
    clearTimeout(timeout);
    await app.close();
  };
  return { app, server, routes: adapter.routes.all(), close };
}
