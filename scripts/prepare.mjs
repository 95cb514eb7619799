// `node scripts/prepare.mjs entry [argument …]`: installs and builds if needed, then runs the entry with the project's
// own Node. Prints nothing on standard output, which belongs to the entry.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';

import { ensureBuilt } from './build-step.mjs';
import { ensureInstalled } from './installation-step.mjs';
import { exclusively } from './lock.mjs';
import { ScriptError, findNode, notes, root } from './toolchain.mjs';

const PARENT_POLL_MILLISECONDS = 500;

const [entry = 'dist/apps/launcher/src/main.js', ...words] = process.argv.slice(2);

try {
  await exclusively(async () => {
    // What was built runs without the packages that tests and development need.
    ensureInstalled({ dev: !entry.startsWith('dist/') });
    findNode(); // fail now rather than after a build
    await ensureBuilt(entry);
  });
  run(findNode(), entry, words);
} catch (error) {
  if (!(error instanceof ScriptError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function run(node, file, rest) {
  const settings = path.join(root, '.env');
  const options = existsSync(settings) ? [`--env-file=${settings}`] : [];
  // Node caches compiled code for the next start of each process.
  const env = { NODE_COMPILE_CACHE: path.join(notes, 'compiled'), ...process.env };
  // The channel carries no messages: when it closes, the entry knows that this process has ended, even after `kill -9`.
  const child = spawn(node, [...options, path.join(root, file), ...rest], {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  child.once('error', (error) => {
    process.stderr.write(`${node} can't be run: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));

  // Ctrl-C in a terminal reaches the child directly; forwarding it would count as a second one, which kills at once.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  stopWithNpm(child);
}

/** Stops the child when npm ends: if npm is killed hard, it can't forward the signal. */
function stopWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, PARENT_POLL_MILLISECONDS).unref();
}

/** The ids of our parent and, on Linux, of its parent: npm runs scripts through a shell that outlives it. */
function ancestors() {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    return `${process.ppid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`;
  } catch {
    return String(process.ppid);
  }
}
