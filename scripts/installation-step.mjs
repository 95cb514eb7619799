// Runs `npm install` if the installed packages do not match package.json and package-lock.json.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { ScriptError, notes, readJson, root } from './toolchain.mjs';

const STAMP = path.join(notes, 'installed');
const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'allowScripts'];

/**
 * Installs packages if needed. The output of npm goes to standard error.
 *
 * @throws {ScriptError} when npm fails
 */
export function ensureInstalled() {
  const current = fingerprint();
  if (current !== undefined && current === readText(STAMP)) return;
  if (!installedByHand()) {
    process.stderr.write('Installing the dependencies …\n');
    // Engine warnings are about the machine's own Node, which only runs npm. Development packages are needed in every
    // environment, since they include the compiler and Node.
    const words = ['install', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', words, {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new ScriptError('npm install failed.');
  }
  mkdirSync(notes, { recursive: true });
  writeFileSync(STAMP, fingerprint() ?? '');
}

/** Whether `npm install` has already been run by hand: repeating it would only take time. */
function installedByHand() {
  const lock = readJson(path.join(root, 'package-lock.json'));
  const installed = readJson(path.join(root, 'node_modules', '.package-lock.json'));
  const manifest = readJson(path.join(root, 'package.json'));
  if (lock === undefined || installed === undefined) return false;
  const listed = lock.packages[''];
  const asListed = ['dependencies', 'devDependencies', 'optionalDependencies'].every(
    (field) => JSON.stringify(manifest[field] ?? {}) === JSON.stringify(listed[field] ?? {}),
  );
  return (
    asListed &&
    Object.entries(lock.packages).every(
      ([location, entry]) =>
        location === '' || entry.optional || installed.packages[location]?.version === entry.version,
    )
  );
}

function fingerprint() {
  const manifest = readJson(path.join(root, 'package.json'));
  const lock = readText(path.join(root, 'package-lock.json'));
  if (lock === undefined) return undefined;
  const fields = DEPENDENCY_FIELDS.map((field) => manifest[field]);
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
