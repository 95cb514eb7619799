// Starts a Redis server of its own. The run ends with status 77 if the machine has none.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

const LACKS_COMMAND = 77;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(port) {
  const socket = createConnection(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}

/** The address of a server that ends with this process. */
export async function startRedis() {
  if (spawnSync('redis-server', ['--version']).error) {
    process.stderr.write('redis-server is missing\n');
    process.exit(LACKS_COMMAND);
  }
  const port = await freePort();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'how-to-redis-'));
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const server = spawn('redis-server', settings, { stdio: 'ignore' });
  server.unref();
  // The runner ends a check that takes too long.
  process.once('SIGTERM', () => process.exit(1));
  process.on('exit', () => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await answers(port))) await setTimeout(50);
  return `redis://127.0.0.1:${port}`;
}
