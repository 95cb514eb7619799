import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

import { once } from './once.js';

/** `dist/.commit`, which `scripts/build-step.mjs` writes. There is none next to the sources, on which the tests run. */
const COMMIT_FILE = new URL('../../../.commit', import.meta.url);

/** The version of this release, from `package.json`, such as `0.1.0`. */
export const releaseVersion = once((): string => {
  const file = findPackageJSON(import.meta.url);
  if (file === undefined) throw new Error('package.json is missing.');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
});

/**
 * The commit that was built, such as `3f2a9c51d0e7`, or `3f2a9c51d0e7.modified` if files had been changed since.
 * Undefined if the build did not know it.
 */
export const builtCommit = once((): string | undefined => {
  try {
    return readFileSync(COMMIT_FILE, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
});

/**
 * The version of the running program: that of the release, and the commit if it is known, as in `0.1.0+3f2a9c51d0e7`.
 */
export const runningVersion = (): string => [releaseVersion(), builtCommit() ?? []].flat().join('+');
