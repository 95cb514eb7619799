import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The version of this release, from `package.json`. */
export function releaseVersion(): string {
  const file = findPackageJSON(import.meta.url);
  if (file === undefined) throw new Error('package.json is missing.');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
