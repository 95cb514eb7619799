// `npm run generate -- export-format` writes the columns of every content model into docs/use/export-columns.md; with
// `--check` it fails if they are outdated.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { renderModels } from '#content/models/render-models.js';
import { root } from './toolchain.mjs';

const file = path.join(root, 'docs', 'use', 'export-columns.md');
const before = readFileSync(file, 'utf8');
const rendered = renderModels(before);

if (!process.argv.includes('--check')) {
  writeFileSync(file, rendered);
} else if (before !== rendered) {
  process.stderr.write('docs/use/export-columns.md is outdated. Run "npm run generate" and commit it.\n');
  process.exitCode = 1;
}
