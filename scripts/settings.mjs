// `npm run generate -- settings` renders the settings into .env.example and docs/operate/settings.md; with `--check`, it
// fails if one of them is outdated.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { renderEnvExample, renderSettings } from '#platform/render-settings.js';
import { root } from './toolchain.mjs';

for (const [name, render] of Object.entries({
  '.env.example': renderEnvExample,
  'docs/operate/settings.md': renderSettings,
})) {
  const file = path.join(root, name);
  const before = readFileSync(file, 'utf8');
  const rendered = render(before);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, rendered);
  } else if (before !== rendered) {
    process.stderr.write(`${name} is outdated. Run "npm run generate" and commit it.\n`);
    process.exitCode = 1;
  }
}
