// Writes openapi.json, which `/openapi.json` serves, to the root of the repository. With `--check`, it only compares the
// file.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { pino } from 'pino';

const root = path.resolve(import.meta.dirname, '../..');
const built = (file) => import(path.join(root, 'dist', file));
const { loadConfiguration } = await built('libs/platform/src/configuration.js');
const { createApi } = await built('apps/api/src/create-api.js');
const { releaseVersion } = await built('libs/platform/src/version.js');
const { buildDocument } = await built('apps/api/src/openapi.js');

// No database is needed: the document depends only on the code.
const settings = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none', SECRET_KEY: 'x'.repeat(32) };
const api = await createApi(loadConfiguration(settings), pino({ level: 'silent' }));
const rendered = `${JSON.stringify(buildDocument(api.app, releaseVersion()), null, 2)}\n`;
const file = path.join(root, 'openapi.json');

if (!process.argv.includes('--check')) {
  writeFileSync(file, rendered);
} else if (read() !== rendered) {
  process.stderr.write('openapi.json is outdated. Run "npm run generate" and commit it.\n');
  process.exitCode = 1;
}
await api.close();

function read() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
