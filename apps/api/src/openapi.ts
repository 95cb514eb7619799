import type { INestApplication } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { runningVersion } from '#platform/version.js';
import { SESSION_SCHEME } from './http/access/access.decorator.js';
import { addConventions, nameAlternativePaths } from './http/openapi/document-conventions.js';
import { TAGS } from './http/openapi/tags.js';
import { documentRemovedPaths } from './removed/removed-paths.js';
import type { RoutingAdapter } from './http/routes/routing-adapter.js';
import { ERROR_SCHEMAS } from './http/routes/responses.js';
import { projectionSchemas } from './http/routes/schemas.js';

const snakeCase = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();

/** `CountermeasuresController`, `list` → `countermeasures_list`: stable, since clients generate code from it. */
const operationId = (controller: string, method: string): string =>
  `${snakeCase(controller.replace(/Controller$/, ''))}_${snakeCase(method)}`;

const INTRODUCTION = `
A library of application-security requirements, the projects that they apply to, and reports on both.

**To start**, click *Authorize*, enter the word \`Token\`, a space and an API token, and open any operation.
\`npm start\` prints where to find the first token; \`POST /api/v2/users/me/tokens/\` creates more, with e-mail address
and password.

**Conventions.** Paths work with and without a trailing slash. A path returns 405 with \`Allow\` for other methods;
OPTIONS lists its methods. Every list is also available as a file, with \`Accept: text/csv\`. Lists of values are
repeated or comma-separated. Unknown names are ignored and reported in the header \`Ignored-Parameters\`,
comma-separated; with \`Prefer: handling=strict\`, they are errors. Every response has the id of the request in
\`X-Request-Id\`, as in the log.

**For clients**: [the index of resources](/api/v2/), [this document](/openapi.json), from which clients can be
generated.
`.trim();

/**
 * The OpenAPI document of the API. The API must be initialized.
 *
 * @param version by default, the version of the running program
 */
export function buildDocument(app: INestApplication, version = runningVersion()): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.0.3')
    .setTitle('Merlon')
    .setDescription(INTRODUCTION)
    .setVersion(version)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'This service')
    // Swagger UI lists them in this order.
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description:
          'The API token of a user. Enter the word `Token`, a space, and the token: `Token <ACCESS_TOKEN>`. ' +
          '`npm start` prints where to find the first one; `POST /users/me/tokens/` creates more.',
      },
      'token',
    )
    .addBasicAuth(
      {
        type: 'http',
        scheme: 'basic',
        description: 'E-mail address and password, for the few operations that accept them.',
      },
      'basic',
    )
    .addCookieAuth(
      '__Host-merlon',
      {
        type: 'apiKey',
        in: 'cookie',
        description:
          'The session of a browser, from `POST /auth/login/`; over plain HTTP, the name is `merlon`. It only counts ' +
          'without an `Authorization` header. Changes also need `Sec-Fetch-Site: same-origin` or the `Origin` of the ' +
          'service.',
      },
      SESSION_SCHEME,
    )
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        description: 'For reports only: the short-lived token from `GET /users/me/auth-token/`, without a prefix.',
      },
      'report',
    )
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: operationId });
  const { httpAdapter } = app.get<HttpAdapterHost<RoutingAdapter>>(HttpAdapterHost);
  const projections = httpAdapter.routes.declared().flatMap(({ declaration: { projection } }) => projection ?? []);
  document.components = {
    ...document.components,
    schemas: {
      ...document.components?.schemas,
      ...(projectionSchemas(new Set(projections)) as object),
      ...ERROR_SCHEMAS,
    },
  };
  // Paths work with and without a trailing slash; the specification and published clients use it.
  document.paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path.replace(/\/?$/, '/'), item]),
  );
  nameAlternativePaths(document);
  documentRemovedPaths(document);
  document.tags = [...TAGS];
  addConventions(document);
  return document;
}
