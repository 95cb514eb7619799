import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { buildDocument } from '../../apps/api/src/openapi.js';
import type { Api } from '../../apps/api/src/create-api.js';
import type { OpenApiDocument } from './document.js';

let shared: Promise<OpenApiDocument> | undefined;

/**
 * The OpenAPI document of the API under test. It is the same for every suite, and building it takes a second: the first
 * suite of a run keeps it for the others, in a file for those of other processes.
 */
export const builtDocument = (api: Api): Promise<OpenApiDocument> => (shared ??= buildOrRead(api));

async function buildOrRead({ app }: Api): Promise<OpenApiDocument> {
  const folder = process.env['MERLON_TEST_FOLDER'];
  if (folder === undefined) return JSON.parse(JSON.stringify(buildDocument(app))) as OpenApiDocument;
  const file = path.join(folder, 'openapi.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) return JSON.parse(text) as OpenApiDocument;
  const built = JSON.stringify(buildDocument(app));
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(temporary, built);
  await rename(temporary, file);
  return JSON.parse(built) as OpenApiDocument;
}
