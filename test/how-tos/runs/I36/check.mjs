// Stores an image where the code looks for it, which a check can only do in a folder of its own.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ESLint } from 'eslint';

if (!existsSync('/usr/bin/file')) {
  process.stderr.write('/usr/bin/file is missing\n');
  process.exit(77);
}
const uploads = path.resolve('uploads');
await mkdir(uploads);
const code = await readFile('block_1.ts', 'utf8');
assert.ok(code.includes("'/srv/app/uploads'"));
await writeFile('here.ts', code.replace('/srv/app/uploads', uploads));
const { contentTypeOf } = await import('./here.ts');

const id = '0123456789abcdef0123456789abcdef';
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
await writeFile(path.join(uploads, id), Buffer.from(png, 'base64'));
assert.equal(await contentTypeOf(id), 'image/png');
for (const hostile of ['-f', 'a;id', '$(id)', `${id}\n`, `../${id}`, ''])
  await assert.rejects(contentTypeOf(hostile), RangeError);
await assert.rejects(contentTypeOf('f'.repeat(32)), /file/);

const lint = async (text) => {
  const [{ messages }] = await new ESLint().lintText(text, { filePath: path.resolve('src/file.ts') });
  return messages.map(({ ruleId }) => ruleId);
};
assert.deepEqual(await lint(code), []);
const faults = [
  "import { execSync } from 'node:child_process';",
  "const children = require('child_process');",
  "await import('node:child_process');",
  "run('/usr/bin/file', [], { shell: true });",
  "run('file', []);",
];
for (const fault of faults) assert.equal((await lint(fault)).length, 1, fault);
