// `npm test`: runs jest with what it needs to load ES modules. Arguments go to jest: `npm test -- countermeasures`.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.dirname(import.meta.dirname);
const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');

// Workers inherit the options, so that all of them load TypeScript directly.
const typescript = pathToFileURL(path.join(import.meta.dirname, 'support', 'jest', 'typescript.mjs')).href;
const words = ['--import', typescript, jest, ...process.argv.slice(2)];
// All processes, including the commands that tests run, share one cache of compiled modules.
const compiled = path.join(root, 'node_modules', '.merlon', 'compiled');
const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
const child = spawn(process.execPath, words, { cwd: root, stdio: 'inherit', env });

// Ctrl-C in a terminal reaches jest directly, and jest stops its database server before it exits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
process.once('disconnect', () => child.kill('SIGTERM'));
process.channel?.unref();
child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
