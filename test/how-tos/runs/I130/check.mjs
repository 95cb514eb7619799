// Runs the matrix against an application that follows it, and against three that do not.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compile } from './support/decorators.mjs';

await mkdir('test', { recursive: true });
await rename('block_1.ts', 'test/permissions.test.ts');
await writeFile(
  'package.json',
  JSON.stringify({ type: 'module', jest: { transform: {}, testMatch: ['**/*.test.js'] } }),
);
compile(['test/permissions.test.ts'], 'test');

function failures(fault) {
  const jest = path.resolve('node_modules/jest/bin/jest.js');
  const words = ['--experimental-vm-modules', '--no-warnings', jest, '--json', '--runInBand', '--watchman=false'];
  const { stdout, stderr } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    env: { ...process.env, FAULT: fault },
  });
  assert.ok(stdout, stderr);
  const { numTotalTests, testResults } = JSON.parse(stdout);
  assert.equal(numTotalTests, 13, testResults[0].message);
  return testResults[0].assertionResults.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName);
}
assert.deepEqual(failures(''), []);
assert.deepEqual(failures('reader-deletes'), ['DELETE /users/:id as reader']);
assert.deepEqual(failures('open-to-everyone'), ['GET /projects as anonymous']);
assert.deepEqual(failures('forgotten-route'), ['has a row for every route']);
