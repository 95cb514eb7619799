// Uploads documents and images, and files that only look like them.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { crc32 } from 'node:zlib';

const modules = spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout ?? '';
if (!/^gd$/m.test(modules) || !/^fileinfo$/m.test(modules)) {
  process.stderr.write('php with GD and fileinfo is missing\n');
  process.exit(77);
}
await mkdir('uploads');
await writeFile('block_1.php', `<?php ${await readFile('block_1.php', 'utf8')}`);
execFileSync('php', ['images.php']);

const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
await new Promise((done) => void probe.close(done));
const php = spawn('php', ['-c', 'block_2.ini', '-S', `127.0.0.1:${port}`, 'server.php'], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
process.once('SIGTERM', () => process.exit(1)).on('exit', () => php.kill());
for await (const line of createInterface({ input: php.stderr })) if (line.includes('started')) break;
php.stderr.resume();

async function upload(...files) {
  const form = new FormData();
  for (const [name, content, type = 'image/jpeg'] of files) form.append('files[]', new Blob([content], { type }), name);
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: form });
  return { status: response.status, body: await response.json() };
}

const pdf = '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n';
const images = ['fine.png', 'fine.jpg', 'code.jpg', 'large.png'];
const [png, jpeg, hidden, large] = await Promise.all(images.map((name) => readFile(name)));
const code = '<?php echo "run";';
assert.ok(hidden.includes(code));

for (const [name, content, ending] of [
  ['a.pdf', pdf, 'pdf'],
  ['a.PNG', png, 'png'],
  ['a.jpeg', jpeg, 'jpg'],
  ['../../a.jpg', jpeg, 'jpg'],
  ['a.php.jpg', hidden, 'jpg'],
]) {
  const { status, body } = await upload([name, content]);
  assert.equal(status, 200, `${String(name)}: ${String(body)}`);
  assert.match(body[0], new RegExp(`^[0-9a-f]{32}\\.${String(ending)}$`));
  const stored = await readFile(`uploads/${body[0]}`);
  assert.ok(!stored.includes('<?php'), name);
  if (ending === 'png') {
    const alpha = `$image = imagecreatefrompng('uploads/${body[0]}'); echo imagecolorsforindex($image, imagecolorat($image, 5, 5))['alpha'];`;
    assert.equal(execFileSync('php', ['-r', alpha], { encoding: 'utf8' }), '100');
  }
}
const before = await readdir('uploads');
assert.equal(before.length, 5);

const header = Buffer.alloc(17);
header.write('IHDR');
header.writeUInt32BE(50_000, 4);
header.writeUInt32BE(50_000, 8);
header.set([8, 2, 0, 0, 0], 12);
const sum = Buffer.alloc(4);
sum.writeUInt32BE(crc32(header));
const huge = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d', 'hex'), header, sum]);
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>';
const refused = {
  'a script': ['a.jpg', code],
  'a script with two endings': ['a.php.jpg', code],
  'a script with the header of a GIF': ['a.jpg', `GIF89a${code}`],
  'a GIF': ['a.gif', `GIF89a${code}`],
  'an SVG': ['a.svg', svg, 'image/svg+xml'],
  'an SVG with another ending': ['a.png', svg, 'image/png'],
  'a PNG named PDF': ['a.pdf', png, 'application/pdf'],
  'a PNG named PHP': ['a.php', png, 'image/png'],
  'no ending': ['png', png],
  'a damaged JPEG': ['a.jpg', jpeg.subarray(0, 30)],
  'too many pixels': ['a.png', large, 'image/png'],
  'an enormous number of pixels': ['a.png', huge, 'image/png'],
  'too many bytes': ['a.pdf', pdf + ' '.repeat(6_000_000)],
  'a few bytes too many': ['a.pdf', pdf + ' '.repeat(5_000_001 - pdf.length)],
};
for (const [name, file] of Object.entries(refused)) {
  const { status, body } = await upload(file);
  assert.equal(status, 422, `${name}: ${String(body)}`);
}
assert.equal((await upload(...Array.from({ length: 11 }, () => ['a.jpg', jpeg]))).status, 422);
assert.deepEqual(await readdir('uploads'), before);
assert.equal((await upload(...Array.from({ length: 10 }, () => ['a.jpg', jpeg]))).body.length, 10);
process.exit();
