// Runs `npm install` if the installed packages do not match package.json and package-lock.json.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { ScriptError, notes, readJson, root } from './toolchain.mjs';

const STAMP = path.join(notes, 'installed');
const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'allowScripts'];

/**
 * Installs packages if needed. The output of npm goes to standard error.
 *
 * @param {{ dev: boolean }} options whether packages for tests and development are needed too; if they are already
 *   there, they stay
 * @throws {ScriptError} when npm fails
 */
export function ensureInstalled({ dev }) {
  const [installed, kind] = readText(STAMP)?.split(' ') ?? [];
  const current = fingerprint();
  if (current !== undefined && current === installed && (kind === 'dev' || !dev)) return;
  const needsDev = dev || hasDevelopmentPackages();
  if (!installedByHand(needsDev)) {
    process.stderr.write(`Installing the dependencies (${needsDev ? '1.4 GB' : '600 MB'}; a minute or more) …\n`);
    // Engine warnings are about the machine's own Node, which only runs npm.
    const kinds = [needsDev ? '--include=dev' : '--omit=dev', '--include=optional'];
    const words = ['install', ...kinds, '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', words, {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new ScriptError('npm install failed.');
    if (!needsDev) removeUnread();
  }
  mkdirSync(notes, { recursive: true });
  writeFileSync(STAMP, `${fingerprint() ?? ''} ${needsDev ? 'dev' : 'run'}`);
}

/**
 * Removes what nothing reads, a fourth of the space: source maps, documents of packages, headers and manual of Node, and
 * bundles of which the build uses the modules.
 */
function removeUnread() {
  const folder = path.join(root, 'node_modules');
  const unread = [
    /\.map$/,
    /\/(?:README|CHANGELOG|HISTORY)\.md$/i,
    /^node\/node_modules\/node-[^/]+\/(?:include|share)$/,
    /^echarts\/dist$/,
    /^@tabler\/icons-react\/dist\/cjs$/,
  ];
  for (const name of readdirSync(folder, { recursive: true }))
    if (unread.some((pattern) => pattern.test(name.replaceAll(path.sep, '/'))))
      rmSync(path.join(folder, name), { recursive: true, force: true });
}

/** What npm has installed; undefined if nothing. */
const installedPackages = () => readJson(path.join(root, 'node_modules', '.package-lock.json'))?.packages;

const hasDevelopmentPackages = () => Object.values(installedPackages() ?? {}).some((entry) => entry.dev);

/** The manifests of the project and its workspaces, by their folder. */
function manifests() {
  const manifest = readJson(path.join(root, 'package.json'));
  const folders = ['', ...(manifest?.workspaces ?? [])];
  return Object.fromEntries(folders.map((folder) => [folder, readJson(path.join(root, folder, 'package.json'))]));
}

/** Whether `npm install` has already been run by hand: repeating it would only take time. */
function installedByHand(needsDev) {
  const locked = readJson(path.join(root, 'package-lock.json'))?.packages;
  const installed = installedPackages();
  if (locked === undefined || installed === undefined) return false;
  const asListed = Object.entries(manifests()).every(([folder, manifest]) =>
    ['dependencies', 'devDependencies', 'optionalDependencies'].every(
      (field) => JSON.stringify(manifest?.[field] ?? {}) === JSON.stringify(locked[folder]?.[field] ?? {}),
    ),
  );
  return (
    asListed &&
    Object.entries(locked).every(
      ([location, entry]) =>
        !location.startsWith('node_modules/') ||
        entry.optional ||
        (entry.dev && !needsDev) ||
        installed[location]?.version === entry.version,
    )
  );
}

function fingerprint() {
  const lock = readText(path.join(root, 'package-lock.json'));
  if (lock === undefined) return undefined;
  const fields = Object.values(manifests()).map((manifest) => DEPENDENCY_FIELDS.map((field) => manifest?.[field]));
  return createHash('sha256')
    .update(JSON.stringify([fields, process.platform, process.arch]))
    .update(lock)
    .digest('hex');
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
