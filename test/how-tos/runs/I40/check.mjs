// Installs packages with scripts, and one that is a day old, from a registry of its own with npm and pnpm.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const project = path.resolve('project');
const env = { ...process.env, HOME: path.resolve('home'), npm_config_cache: path.resolve('cache'), CI: '1' };
for (const name of Object.keys(env)) if (/^npm_/i.test(name) && name !== 'npm_config_cache') delete env[name];
/** Status and output of a command in the project. */
async function run(command, ...words) {
  try {
    const { stdout, stderr } = await execute(command, words, { cwd: project, env });
    return { status: 0, text: stdout + stderr };
  } catch ({ code, stdout, stderr }) {
    return { status: code, text: stdout + stderr };
  }
}
await mkdir(project);
await mkdir('home');
const [major, minor] = (await run('npm', '--version')).text.split('.').map(Number);
if (major < 11 || (major === 11 && minor < 10)) {
  process.stderr.write('npm 11.10 is missing\n');
  process.exit(77);
}

const DAY = 86_400_000;
const registry = { packages: {}, tarballs: {} };
const writes = (name) =>
  `node -e "require('fs').writeFileSync(require('path').join(process.env.INIT_CWD || '.', '${name}'), '')"`;
async function publish(name, version, days, scripts) {
  await mkdir('made/package', { recursive: true });
  const manifest = { name, version, scripts };
  await writeFile('made/package/package.json', JSON.stringify(manifest));
  await writeFile('made/package/index.js', `module.exports = '${name}';\n`);
  await execute('tar', ['czf', 'made/a.tgz', '-C', 'made', 'package']);
  const content = await readFile('made/a.tgz');
  const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
  registry.tarballs[`/${name}-${version}.tgz`] = content;
  const shasum = createHash('sha1').update(content).digest('hex');
  const found = (registry.packages[name] ??= { name, 'dist-tags': {}, versions: {}, time: {} });
  found['dist-tags'].latest = version;
  found.time[version] = new Date(Date.now() - days * DAY).toISOString();
  found.versions[version] = {
    ...manifest,
    hasInstallScript: Boolean(scripts),
    dist: { integrity, shasum, file: `${name}-${version}.tgz` },
  };
}
const server = createServer((request, response) => {
  const address = `http://127.0.0.1:${server.address().port}`;
  const json = (value) => void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  if (registry.tarballs[request.url]) return void response.end(registry.tarballs[request.url]);
  const found = registry.packages[request.url.split('/')[1]];
  if (!found) return void response.writeHead(404).end('{}');
  const versions = structuredClone(found.versions);
  for (const { dist } of Object.values(versions)) dist.tarball = `${address}/${dist.file}`;
  return json({ ...found, versions });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = `http://127.0.0.1:${server.address().port}/`;

await publish('evil', '1.0.0', 30, { preinstall: writes('evil-ran'), postinstall: writes('evil-ran') });
await publish('sharp', '1.0.0', 30, { install: writes('sharp-built') });
await publish('young', '1.0.0', 30);
await publish('young', '1.0.1', 1);
await publish('newborn', '1.0.0', 1);

const settings = (await readFile('block_1.ini', 'utf8')).replace('https://packages.example.com/npm/', address);
assert.ok(settings.includes(address));
await writeFile('project/.npmrc', settings);
// Signatures need keys that npm reads from the internet.
const commands = (await readFile('block_2.bash', 'utf8')).replace('npm audit signatures\n', '');
await writeFile('project/commands.sh', commands);
const ran = (name) => existsSync(path.join(project, name));
const manifest = (dependencies, more) =>
  writeFile(
    'project/package.json',
    JSON.stringify({
      name: 'a',
      version: '1.0.0',
      private: true,
      scripts: { postinstall: writes('own-ran') },
      dependencies,
      ...more,
    }),
  );
const clean = async () => {
  for (const name of ['node_modules', 'package-lock.json', 'pnpm-lock.yaml', 'evil-ran', 'sharp-built', 'own-ran'])
    await rm(path.join(project, name), { recursive: true, force: true });
};

await manifest({});
const { text } = await run('npm', 'config', 'get', 'ignore-scripts', 'min-release-age');
assert.match(text, /ignore-scripts ?= ?true/);
assert.match(text, /min-release-age ?= ?7/);
assert.equal((await run('npm', 'install', 'evil', 'sharp', 'young')).status, 0);
const { dependencies } = JSON.parse(await readFile('project/package.json', 'utf8'));
assert.deepEqual(dependencies, { evil: '1.0.0', sharp: '1.0.0', young: '1.0.0' });
for (const name of ['young@1.0.1', 'newborn']) {
  const refused = await run('npm', 'install', name);
  assert.notEqual(refused.status, 0, name);
}
assert.equal(JSON.parse(await readFile('project/package.json', 'utf8')).dependencies.newborn, undefined);
await rm('project/node_modules', { recursive: true });
assert.ok(!ran('evil-ran') && !ran('sharp-built') && !ran('own-ran'));

// Install, and build one package.
const done = await run('bash', '-e', 'commands.sh');
assert.equal(done.status, 0, done.text);
assert.ok(!ran('evil-ran') && !ran('own-ran'), 'A script ran.');
assert.ok(ran('sharp-built'), 'sharp was not built.');

// Without the settings, each of this happens.
await clean();
await manifest({ evil: '1.0.0', newborn: '1.0.0' });
await writeFile('project/.npmrc', `registry=${address}\n`);
assert.equal((await run('npm', 'install')).status, 0);
assert.ok(ran('evil-ran') && ran('own-ran'));

// pnpm
await clean();
await cp('pnpm-workspace.yaml', 'project/pnpm-workspace.yaml');
const pnpm = (...words) => run(process.execPath, path.resolve('node_modules/pnpm/bin/pnpm.cjs'), ...words);
await manifest({ evil: '1.0.0', sharp: '1.0.0', young: '^1.0.0' }, { scripts: {} });
const installed = await pnpm('install', '--no-frozen-lockfile');
assert.equal(installed.status, 0, installed.text);
assert.ok(!ran('evil-ran') && ran('sharp-built'), installed.text);
assert.match(await readFile('project/pnpm-lock.yaml', 'utf8'), /young@1\.0\.0/);
for (const name of ['young@1.0.1', 'newborn']) {
  const refused = await pnpm('add', name);
  assert.notEqual(refused.status, 0, refused.text);
  assert.match(refused.text, /NO_(?:MATURE_)?MATCHING_VERSION/, refused.text);
}
server.close();
server.closeAllConnections();
