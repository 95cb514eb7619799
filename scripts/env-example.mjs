// `npm run generate -- env-example` renders .env.example from the settings; with `--check` it fails if the file is outdated.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { root } from './toolchain.mjs';

const { renderEnvExample } = await import('../dist/libs/platform/src/configuration.js');
const file = path.join(root, '.env.example');
const rendered = renderEnvExample();

if (!process.argv.includes('--check')) {
  writeFileSync(file, rendered);
} else if (read() !== rendered) {
  process.stderr.write('.env.example is outdated. Run "npm run generate" and commit it.\n');
  process.exitCode = 1;
}

function read() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
