// Fails where openapi-typescript makes more lines from openapi.json than clients should have to load. ADR 0038 says what
// they are made of, and why the limit is not lower.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import openapiTS, { astToString } from 'openapi-typescript';

const LIMIT = 22_900;

const file = path.resolve(import.meta.dirname, '../../openapi.json');
const types = astToString(await openapiTS(JSON.parse(readFileSync(file, 'utf8')), { silent: true }));
const lines = types.trimEnd().split('\n').length;
if (lines > LIMIT) {
  process.stderr.write(
    `openapi-typescript makes ${lines} lines from openapi.json, more than ${LIMIT}. Where a new resource needs them, ` +
      'raise the limit in test/openapi/generated-types.mjs ' +
      'and in docs/adr/0038-an-api-document-for-generators.md; a resource takes some 330. ' +
      'Elsewhere, describe once what operations share.\n',
  );
  process.exitCode = 1;
} else process.stdout.write(`openapi-typescript makes ${lines} lines from openapi.json, of at most ${LIMIT}.\n`);
