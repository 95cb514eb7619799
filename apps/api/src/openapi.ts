import type { INestApplication } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { addConventions, nameAlternativePaths } from './http/openapi/document-conventions.js';
import { documentRemovedPaths } from './removed/removed-paths.js';
import type { RecordingAdapter } from './http/routes/recording-adapter.js';
import { ERROR_SCHEMAS } from './http/routes/responses.js';
import { PAGE_SCHEMA, projectionSchemas } from './http/routes/schemas.js';

const snakeCase = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();

/** `CountermeasuresController`, `list` → `countermeasures_list`: stable, since clients generate code from it. */
const operationId = (controller: string, method: string): string =>
  `${snakeCase(controller.replace(/Controller$/, ''))}_${snakeCase(method)}`;

/** The OpenAPI document of the API, the same on every machine. The API must be initialized. */
export function buildDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.0.3')
    .setTitle('Merlon')
    .setDescription(
      'A library of application-security requirements, and reports on them. Paths work with and without a trailing ' +
        'slash. A path returns 405 with `Allow` for other methods; OPTIONS lists its methods. Endpoints of ' +
        'earlier releases (`/library/jobs/…`, `/activities/`) return 410 and name their successors.',
    )
    .setVersion('2')
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
  const { httpAdapter } = app.get<HttpAdapterHost<RecordingAdapter>>(HttpAdapterHost);
  const projections = httpAdapter.declaredRoutes.flatMap(({ declaration: { projection } }) => projection ?? []);
  document.components = {
    ...document.components,
    schemas: {
      ...document.components?.schemas,
      ...(projectionSchemas(new Set(projections)) as object),
      ...ERROR_SCHEMAS,
      Page: PAGE_SCHEMA,
    },
  };
  // Paths work with and without a trailing slash; the specification and published clients use it.
  document.paths = Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [`${path}/`, item]));
  nameAlternativePaths(document);
  documentRemovedPaths(document);
  addConventions(document);
  return document;
}
