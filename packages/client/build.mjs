// Builds the package from `openapi.json`: `npm pack` and `npm publish` run it. The types are not committed, since every
// change of the API would change a megabyte.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const source = path.join(import.meta.dirname, 'src', 'index.ts');

/**
 * Writes the published files.
 *
 * @param {string} document the path of an OpenAPI document
 * @param {string} folder
 */
export async function buildClient(document, folder) {
  const text = await readFile(source, 'utf8');
  /** @type {ts.CompilerOptions} */
  const compilerOptions = { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.ESNext, isolatedDeclarations: true };
  await mkdir(folder, { recursive: true });
  const files = {
    'index.js': ts.transpileModule(text, { compilerOptions, fileName: source }).outputText,
    'index.d.ts': ts.transpileDeclaration(text, { compilerOptions, fileName: source }).outputText,
    'openapi.d.ts': astToString(await openapiTypescript(pathToFileURL(document))),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
}

if (process.argv[1] === import.meta.filename)
  await buildClient(path.resolve(import.meta.dirname, '../../openapi.json'), path.join(import.meta.dirname, 'dist'));
