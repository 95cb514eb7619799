// `npm run generate [-- NAME …]` writes the generated files, or those with these names; with `--check`, it fails if one of
// them is outdated.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { root } from './toolchain.mjs';

const GENERATORS = {
  settings: 'scripts/settings.mjs',
  'export-format': 'scripts/export-format.mjs',
  schema: 'test/schema/schema.ts',
  openapi: 'test/openapi/write-document.mjs',
};

const words = process.argv.slice(2);
const options = words.filter((word) => word === '--check');
const names = words.filter((word) => word !== '--check');
const unknown = names.filter((name) => !Object.hasOwn(GENERATORS, name));

if (unknown.length) {
  process.stderr.write(`${unknown.join(', ')}: choose from ${Object.keys(GENERATORS).join(', ')}, or "--check".\n`);
  process.exitCode = 1;
} else {
  for (const name of names.length ? names : Object.keys(GENERATORS)) {
    const { status } = spawnSync(process.execPath, [path.join(root, GENERATORS[name]), ...options], {
      cwd: root,
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  }
}
