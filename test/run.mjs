// `npm test`: runs jest with what it needs to load ES modules. Arguments go to jest: `npm test -- countermeasures`.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.dirname(import.meta.dirname);
const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');

// Workers inherit the options: all of them read our TypeScript as it stands.
const typescript = pathToFileURL(path.join(import.meta.dirname, 'support', 'jest', 'typescript.mjs')).href;
const words = ['--import', typescript, jest, ...process.argv.slice(2)];
// Each of the processes, and of the commands that tests run, reads the same modules: what the first compiles, others take.
const compiled = path.join(root, 'node_modules', '.merlon', 'compiled');
const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
const child = spawn(process.execPath, words, { cwd: root, stdio: 'inherit', env });

// Ctrl-C in a terminal reaches jest by itself, which stops its database server before it goes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
process.once('disconnect', () => child.kill('SIGTERM'));
process.channel?.unref();
child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
