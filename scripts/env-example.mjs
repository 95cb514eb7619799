// `npm run env-example` renders .env.example from the settings; with `-- --check` it fails if the file is outdated.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { root } from './toolchain.mjs';

const { renderEnvExample } = await import('../dist/libs/platform/src/configuration.js');
const file = path.join(root, '.env.example');
const wanted = renderEnvExample();

if (!process.argv.includes('--check')) {
  writeFileSync(file, wanted);
} else if (read() !== wanted) {
  process.stderr.write('.env.example is not what the settings say. Run "npm run env-example" and commit it.\n');
  process.exitCode = 1;
}

function read() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
