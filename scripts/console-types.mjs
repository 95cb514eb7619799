// Writes the types of the API that the console and the client use, from openapi.json, unless they are newer than it. They
// are not committed: a build does not need them, and every change of the API would change a megabyte.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';

import { findNode, root } from './toolchain.mjs';

const document = path.join(root, 'openapi.json');
const types = path.join(root, 'apps', 'console', 'src', 'api', 'openapi.d.ts');

const writtenAt = statSync(types, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (writtenAt < statSync(document).mtimeMs) {
  const generator = path.join(root, 'node_modules', 'openapi-typescript', 'bin', 'cli.js');
  const { status } = spawnSync(findNode(), [generator, document, '--output', types], {
    cwd: root,
    stdio: ['ignore', 'ignore', 2],
  });
  process.exitCode = status ?? 1;
}
