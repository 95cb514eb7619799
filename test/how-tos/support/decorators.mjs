// Compiles TypeScript with decorators, whose types Node.js would drop, and lets servers listen on a free port.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const DECORATORS = ['--experimentalDecorators', '--emitDecoratorMetadata'];
// The types in how-tos are checked by how-to-code.spec; here, some modules are JavaScript.
const MODULES = [
  '--module',
  'nodenext',
  '--target',
  'es2023',
  '--strict',
  'false',
  '--skipLibCheck',
  '--types',
  'node',
];

/** Compiles files to JavaScript with the TypeScript of the run. */
export function compile(files, to = '.') {
  const compiler = path.resolve('node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, ...DECORATORS, ...MODULES, '--outDir', to, ...files]);
  } catch (error) {
    throw new Error(String(error.stdout), { cause: error });
  }
}
