// Fails if openapi.json is not valid OpenAPI 3.0.
import path from 'node:path';

import { Validator } from '@seriousme/openapi-schema-validator';

const file = path.resolve(import.meta.dirname, '../../openapi.json');
const { valid, errors } = await new Validator().validate(file);
if (!valid) {
  process.stderr.write(`openapi.json is not valid: ${JSON.stringify(errors, null, 2)}\n`);
  process.exitCode = 1;
}
