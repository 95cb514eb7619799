import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { projectionSchemas } from './http/routes/schemas.js';

/** `CountermeasuresController`, `list` → `countermeasures_list`: stable, since clients generate code from it. */
const operationId = (controller: string, method: string): string =>
  `${controller
    .replace(/Controller$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()}_${method}`;

/** The OpenAPI document of the API, the same on every machine. */
export function buildDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.0.3')
    .setTitle('Merlon')
    .setDescription('A library of application-security requirements, and the reporting around it.')
    .setVersion('2')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'This service')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'Authorization', description: '`Token <ACCESS_TOKEN>`' }, 'token')
    .addBasicAuth({ type: 'http', scheme: 'basic', description: 'E-mail and password' }, 'basic')
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: operationId });
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...(projectionSchemas() as object) },
  };
  return document;
}
