// Builds to dist/ with `nest build`, bundles ECharts and the console, and removes outputs whose source was deleted.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { ScriptError, findNode, root } from './toolchain.mjs';

const dist = path.join(root, 'dist');
const STAMP = path.join(dist, '.built');

/** Read by libs/platform/src/version.ts. */
const COMMIT = path.join(dist, '.commit');

const CONSOLE = path.join('apps', 'console', path.sep);

/** All inputs of the build. */
const SOURCES = [
  'apps',
  'libs',
  'mikro-orm.config.ts',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
];

/**
 * Builds if a source has changed since the last build.
 *
 * @param {string} entry the file that will be run
 * @throws {ScriptError} when a step fails
 */
export async function ensureBuilt(entry) {
  const isThere = existsSync(path.join(root, entry));
  if (!isThere) rmSync(dist, { recursive: true, force: true }); // the compiler only writes files that have changed
  if (!isThere || readStamp() !== fingerprint()) await build();
}

/**
 * Builds as configured in nest-cli.json, without checking types. The compiler's output goes to standard error.
 *
 * @throws {ScriptError} when a step fails
 */
export async function build() {
  process.stderr.write('Building …\n');
  const before = fingerprint(); // a file that changes during the build makes the next start build again
  await Promise.all([compile().then(bundleCharts), bundleConsole()]);
  removeOutputsWithoutSource();
  writeFileSync(COMMIT, commit());
  writeFileSync(STAMP, before);
}

/**
 * The commit to build: from SOURCE_COMMIT where there is no repository, as in a container, otherwise from git.
 *
 * @returns {string} empty if it is not known
 */
function commit() {
  const { SOURCE_COMMIT = '' } = process.env;
  // The repository of a parent folder does not contain these sources.
  if (SOURCE_COMMIT !== '' || !existsSync(path.join(root, '.git'))) return SOURCE_COMMIT.slice(0, 12);
  const words = ['describe', '--always', '--exclude=*', '--abbrev=12', '--dirty=.modified'];
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

const compile = () => step([path.join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js'), 'build']);

/**
 * Bundles the parts of ECharts that charts need: the package is 60 times as large, and does not have to be installed.
 */
function bundleCharts() {
  const rolldown = path.join(root, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
  const module = 'libs/reporting/src/chart/echarts';
  const words = [`${module}.ts`, '--file', `dist/${module}.js`, '--format', 'esm', '--platform', 'node'];
  return step([rolldown, ...words], 'ignore');
}

/** Bundles the console with everything that it imports, so that none of it has to be installed. */
const bundleConsole = () => step([path.join(import.meta.dirname, 'console-step.mjs')]);

/** Runs one step of the build. What it prints goes to standard error, unless it is ignored. */
async function step(words, output = 2) {
  const child = spawn(findNode(), words, { cwd: root, stdio: ['ignore', output, 2] });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new ScriptError(`The build failed: ${path.relative(root, words[0])}`);
}

/** Removes earlier outputs, which the compiler and the copier of assets leave behind. */
function removeOutputsWithoutSource() {
  for (const output of filesBelow('dist')) {
    const name = path.relative('dist', output);
    if (name.startsWith(CONSOLE)) continue; // its bundler empties this folder
    const sources = [name, name.replace(/\.js(\.map)?$/, '.ts')];
    if (!name.startsWith('.') && !sources.some((source) => existsSync(path.join(root, source))))
      rmSync(path.join(root, output));
  }
}

/** Hashes names, sizes and times: reading every file would take too long for a start. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesBelow(source)) {
      if (file.endsWith('.spec.ts')) continue;
      const { size, mtimeMs } = statSync(path.join(root, file));
      hash.update(`${file}\0${size}\0${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

/** Paths of all files below a path of the checkout, in a fixed order. */
function filesBelow(relativePath) {
  const stat = statSync(path.join(root, relativePath), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [relativePath];
  const entries = readdirSync(path.join(root, relativePath), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const name = path.join(relativePath, entry.name);
    return entry.isDirectory() ? filesBelow(name) : [name];
  });
}

function readStamp() {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return undefined;
  }
}
