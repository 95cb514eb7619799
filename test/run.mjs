// `npm test`: runs jest with what it needs to load ES modules. Arguments go to jest: `npm test -- countermeasures`.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');

// A warning about the experimental flag in every worker says nothing that we don't know.
const words = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest, ...process.argv.slice(2)];
const child = spawn(process.execPath, words, { cwd: root, stdio: 'inherit' });

// Ctrl-C in a terminal reaches jest by itself, which stops its database server before it goes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
process.once('disconnect', () => child.kill('SIGTERM'));
process.channel?.unref();
child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
