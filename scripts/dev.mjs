// `npm run dev`: the compiler watches the sources, and the launcher restarts the API and the worker when their code
// changes. The console is built again when one of its sources changes: reload the page.
import { spawn } from 'node:child_process';
import path from 'node:path';

import { findNode, root } from './toolchain.mjs';

const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const launcher = path.join(root, 'dist', 'apps', 'launcher', 'src', 'main.js');
const compilerWords = [compiler, '-p', 'tsconfig.build.json', '--noCheck', 'false', '--watch', '--preserveWatchOutput'];

const watching = spawn(findNode(), compilerWords, { cwd: root, stdio: ['ignore', 2, 2] });
const console = path.join(root, 'scripts', 'console-step.mjs');
const bundling = spawn(findNode(), [console, '--watch'], { cwd: root, stdio: ['ignore', 2, 2] });
const running = spawn(findNode(), [launcher, '--watch'], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});

running.once('exit', (code) => {
  watching.kill();
  bundling.kill();
  process.exitCode = code ?? 1;
});
watching.once('exit', () => running.kill('SIGTERM'));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => (process.stdin.isTTY && signal === 'SIGINT' ? undefined : running.kill(signal)));
}
process.once('disconnect', () => running.kill('SIGTERM'));
process.channel?.unref();
