import { readFileSync } from 'node:fs';

import { builtCommit, releaseVersion, runningVersion } from './version.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

describe('The version', () => {
  it('is that of package.json, without a commit if the program was not built from one', () => {
    expect([releaseVersion(), builtCommit(), runningVersion()]).toEqual([version, undefined, version]);
  });
});
