import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { projectionSchemas } from './http/routes/schemas.js';

/** `CountermeasuresController`, `list` → `countermeasures_list`: stable, since clients generate code from it. */
const operationId = (controller: string, method: string): string =>
  `${controller
    .replace(/Controller$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()}_${method}`;

/**
 * A route that answers under several spellings of its path has one operation for each: the first keeps the name, the
 * others are named after their path and are there for old clients.
 */
function nameSpellings(document: OpenAPIObject): void {
  for (const [path, item] of Object.entries(document.paths))
    for (const operation of [item.get, item.post, item.patch, item.delete]) {
      const spelling = /^(.*)\[(\d+)\]$/.exec(operation?.operationId ?? '');
      if (!operation || !spelling) continue;
      const [, name = '', place] = spelling;
      const words = path.split('/').filter((part) => /^[a-z][a-z-]*$/.test(part) && part !== 'api');
      operation.operationId = place === '0' ? name : `${name}_${words.join('_').replaceAll('-', '_')}`;
      if (place !== '0') operation.deprecated = true;
    }
}

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
  // Paths answer with and without their last slash; the specification writes it, and so do published clients.
  document.paths = Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [`${path}/`, item]));
  nameSpellings(document);
  return document;
}
