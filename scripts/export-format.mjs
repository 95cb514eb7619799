// `npm run export-format`: writes the columns of every content model into docs/export-format.md.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { renderModels } from '#content/models/render-models.js';
import { root } from './toolchain.mjs';

const file = path.join(root, 'docs', 'export-format.md');
writeFileSync(file, renderModels(readFileSync(file, 'utf8')));
