import { readFileSync } from 'node:fs';

const CHANGELOG = new URL('../../CHANGELOG.md', import.meta.url);

/** The tags of the releases in the change log, newest first. */
export const releaseTags = (): string[] =>
  [...readFileSync(CHANGELOG, 'utf8').matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, version]) => `v${version}`);
