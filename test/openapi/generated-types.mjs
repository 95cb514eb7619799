// Fails if openapi-typescript generates more lines from openapi.json than clients should have to load. ADR 0038
// explains the limit.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import openapiTS, { astToString } from 'openapi-typescript';

const LIMIT = 22_900;

const file = path.resolve(import.meta.dirname, '../../openapi.json');
const types = astToString(await openapiTS(JSON.parse(readFileSync(file, 'utf8')), { silent: true }));
const lines = types.trimEnd().split('\n').length;
if (lines > LIMIT) {
  process.stderr.write(
    `openapi-typescript generates ${lines} lines from openapi.json, more than ${LIMIT}. If a new resource needs them ` +
      '(about 330 lines), raise the limit in test/openapi/generated-types.mjs ' +
      'and in docs/adr/0038-an-api-document-for-generators.md. ' +
      'Otherwise, use shared schemas for what operations have in common.\n',
  );
  process.exitCode = 1;
} else process.stdout.write(`openapi-typescript generates ${lines} lines from openapi.json (limit: ${LIMIT}).\n`);
