// `node generate.mjs folder origin`: generates clients from `openapi.json` in the folder, next to programs that use them.
// The folder has to be within the repository, where its modules find their packages.
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { createClient } from '@hey-api/openapi-ts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generate } from 'orval';

import { buildClient } from '../../../packages/client/build.mjs';

const [folder, origin] = process.argv.slice(2);
const within = (name) => path.join(folder, name);
const input = within('openapi.json');

for (const name of ['use-openapi-fetch.ts', 'use-hey-api.ts', 'use-orval.ts', 'answers.ts', 'tsconfig.json'])
  await cp(path.join(import.meta.dirname, name), within(name));
await writeFile(within('package.json'), '{"type": "module"}');

await writeFile(within('openapi-typescript.ts'), astToString(await openapiTypescript(pathToFileURL(input))));
await createClient({
  input,
  output: { path: within('hey-api'), importFileExtension: '.js' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent', file: false },
});
await generate({ input, output: { target: within('orval.ts'), client: 'fetch', baseUrl: origin } });

// The package as it is published, and the examples of its README as one program.
const source = path.resolve(import.meta.dirname, '../../../packages/client');
const installed = within('node_modules/merlon-client');
await buildClient(input, path.join(installed, 'dist'));
await cp(path.join(source, 'package.json'), path.join(installed, 'package.json'));
const readme = await readFile(path.join(source, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, example]) => example);
await writeFile(within('examples.ts'), examples.join('\n'));
