// Runs in the middle of `npm version X.Y.Z`, between its change of package.json and its commit: brings the version to all
// other places that state it. `docs/develop/releases.md` describes a release.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { ScriptError, readJson, root } from './toolchain.mjs';

const CHANGELOG = 'CHANGELOG.md';
const KUSTOMIZATIONS = ['docker/k8s/kustomization.yaml', 'docker/k8s/restore/kustomization.yaml'];
const CHART = 'docker/helm/Chart.yaml';
/** Tells operators how to build and tag an image. */
const KUBERNETES = 'docs/operate/kubernetes.md';
const GATE = 'packages/gate/gitlab.yml';
const LOCK = 'package-lock.json';
/** Packages of this repository; npm itself changes only the version of its root. */
const PACKAGES = ['apps/console', 'packages/client', 'packages/gate', 'packages/toolchain'];
const UNRELEASED = '## [Unreleased]\n';

/**
 * Replaces a pattern in a file of the checkout.
 *
 * @param {string} file
 * @param {RegExp} pattern
 * @param {string} replacement
 * @throws {ScriptError} if the file does not contain it
 */
function replaceIn(file, pattern, replacement) {
  const before = readFileSync(path.join(root, file), 'utf8');
  if (!pattern.test(before)) throw new ScriptError(`${file} does not contain ${pattern}.`);
  writeFileSync(path.join(root, file), before.replace(pattern, replacement));
}

/** Gives the unreleased changes a version and a date. */
function closeChangelog(version) {
  const text = readFileSync(path.join(root, CHANGELOG), 'utf8');
  const start = text.indexOf(UNRELEASED) + UNRELEASED.length;
  const end = text.indexOf('\n## [', start);
  const changes = text.slice(start, end < 0 ? undefined : end);
  if (start < UNRELEASED.length || !/^- /m.test(changes))
    throw new ScriptError(`${CHANGELOG} has no changes under "Unreleased".`);
  // The first release is announced there until it exists.
  const listed = changes.replace('The first release will contain:', '').trim();
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(
    path.join(root, CHANGELOG),
    `${text.slice(0, start)}\n## [${version}] - ${date}\n\n${listed}\n${end < 0 ? '' : text.slice(end)}`,
  );
}

/** Writes the version into the manifests of our other packages and into the lock file. */
function setPackageVersions(version) {
  const lock = readJson(path.join(root, LOCK));
  for (const folder of PACKAGES) {
    replaceIn(`${folder}/package.json`, /^ {2}"version": "[^"]+"/m, `  "version": "${version}"`);
    // The gate is not a workspace.
    if (lock.packages[folder]) lock.packages[folder].version = version;
  }
  writeFileSync(path.join(root, LOCK), `${JSON.stringify(lock, null, 2)}\n`);
}

/** @throws {ScriptError} if the command fails */
function run(program, ...words) {
  const { status } = spawnSync(program, words, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new ScriptError(`${program} ${words.join(' ')} failed.`);
}

try {
  const { version } = readJson(path.join(root, 'package.json'));
  closeChangelog(version);
  for (const file of KUSTOMIZATIONS) replaceIn(file, /newTag: \S+/, `newTag: ${version}`);
  replaceIn(CHART, /^version: \S+/m, `version: ${version}`);
  replaceIn(CHART, /^appVersion: \S+/m, `appVersion: ${version}`);
  replaceIn(GATE, /merlon-gate@\S+/, `merlon-gate@${version}`);
  replaceIn(KUBERNETES, /\/merlon:\d\S*/g, `/merlon:${version}`);
  setPackageVersions(version);
  run('npm', 'run', '-s', 'generate');
  const manifests = PACKAGES.map((folder) => `${folder}/package.json`);
  run('git', 'add', CHANGELOG, ...KUSTOMIZATIONS, CHART, GATE, KUBERNETES, LOCK, ...manifests, 'openapi.json');
} catch (error) {
  if (!(error instanceof ScriptError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
