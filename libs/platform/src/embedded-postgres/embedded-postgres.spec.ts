import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';

import { Client } from 'pg';

import { superuserUrl } from '#test/support/superuser.js';

import { startEmbeddedPostgres } from './embedded-postgres.js';
import type { EmbeddedPostgres } from './embedded-postgres.js';
import { readPostmaster } from './postmaster.js';
import { LostPortError } from './server.js';

async function query(server: Pick<EmbeddedPostgres, 'url'>, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('The embedded PostgreSQL server', () => {
  let directory: string;
  const start = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ directory, settings: { fsync: 'off' } });

  beforeAll(async () => {
    directory = path.join(await mkdtemp(path.join(tmpdir(), 'merlon-')), 'postgres');
  });

  afterAll(async () => {
    await (await start()).stop();
    await rm(path.dirname(directory), { recursive: true });
  });

  it('starts only once for concurrent callers, and stops when the last of them stops it', async () => {
    const servers = await Promise.all([start(), start(), start()]);
    const [first, second, third] = servers;
    expect(servers.filter((server) => !server.adopted)).toHaveLength(1);
    expect(new Set(servers.map((server) => server.url)).size).toBe(1);

    await first.stop();
    await second.stop();
    await second.stop();
    await expect(query(third, 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    await third.stop();
    await expect(query(third, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('sorts and folds case independently of the system, and applies the given settings', async () => {
    const server = await start();
    const [row] = await query(
      server,
      `SELECT lower('ÄÉЖ') AS folded, 'a' > 'Z' AS by_code_point, current_setting('server_encoding') AS encoding,
         current_setting('fsync') AS fsync`,
    );
    expect(row).toEqual({ folded: 'äéж', by_code_point: true, encoding: 'UTF8', fsync: 'off' });
    await server.stop();
  });

  it('listens on the loopback interface only, whatever its settings files say', async () => {
    const changed = await start();
    const url = await superuserUrl(directory, changed);
    await query({ url }, `ALTER SYSTEM SET listen_addresses = '*'`);
    await query({ url }, `ALTER SYSTEM SET unix_socket_directories = '/tmp'`);
    await changed.stop();

    const server = await start();
    await expect(
      query(
        { url: await superuserUrl(directory, server) }, // the port has changed
        `SELECT current_setting('listen_addresses') AS addresses,
           current_setting('unix_socket_directories') AS sockets`,
      ),
    ).resolves.toEqual([{ addresses: '127.0.0.1', sockets: '' }]);
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of outside) {
      const elsewhere = new URL(server.url);
      elsewhere.hostname = address;
      await expect(query({ url: elsewhere.href }, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
    }
    await server.stop();
  });

  it('gives the database to an owner who is no super-user', async () => {
    const server = await start();
    await expect(
      query(
        server,
        `SELECT current_user AS "user", rolsuper AS super, rolcreaterole AS creates,
           pg_get_userbyid(datdba) = current_user AS owns
         FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
      ),
    ).resolves.toEqual([{ user: 'merlon', super: false, creates: true, owns: true }]);
    await expect(query(server, `COPY (SELECT 1) TO PROGRAM 'true'`)).rejects.toThrow(/permission denied/);
    await server.stop();
  });

  it('starts again with its data after kill -9', async () => {
    const killed = await start();
    await query(killed, 'CREATE TABLE kept (n int)');
    process.kill(readPostmaster(directory)?.pid ?? 0, 'SIGKILL');
    const server = await start();
    expect(server.adopted).toBe(false);
    await expect(query(server, 'SELECT count(*)::int AS n FROM kept')).resolves.toEqual([{ n: 0 }]);
    await server.stop();
    await killed.stop();
  });

  it('can be restarted on the same port after kill -9, so that its URL stays valid', async () => {
    const server = await start();
    const giveUp = new AbortController();
    const ended = server.untilEnded(giveUp.signal);
    process.kill(readPostmaster(directory)?.pid ?? 0, 'SIGKILL');
    await expect(ended).resolves.toBe(true);
    await server.restart();
    await expect(query(server, 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);

    const watching = server.untilEnded(giveUp.signal);
    giveUp.abort();
    await expect(watching).resolves.toBe(false);
    await server.stop();
  });

  it('keeps its port when another process restarts it first', async () => {
    const server = await start();
    process.kill(readPostmaster(directory)?.pid ?? 0, 'SIGKILL');
    const faster = await start();
    expect(faster).toMatchObject({ adopted: false, url: server.url });
    await server.restart();
    await faster.stop();
    await expect(query(server, 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('refuses to restart if another program has its port, or if it runs on another port meanwhile', async () => {
    const server = await start();
    process.kill(readPostmaster(directory)?.pid ?? 0, 'SIGKILL');
    await server.untilEnded(new AbortController().signal); // it keeps its port until then
    const { port } = new URL(server.url);
    const other = createServer().listen(Number(port), '127.0.0.1');
    await once(other, 'listening');
    await expect(server.restart()).rejects.toThrow(LostPortError);

    const elsewhere = await start();
    expect(elsewhere.url).not.toBe(server.url);
    await expect(server.restart()).rejects.toThrow(/other than/);
    await new Promise((resolve) => other.close(resolve));
    await elsewhere.stop();
    await server.stop();
  });

  it('cannot be restarted by a caller that has stopped it', async () => {
    const server = await start();
    const stopped = server.stop();
    await server.restart();
    await stopped;
    await expect(query(server, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('starts despite a pid file with the id of an unrelated process', async () => {
    const killed = await start();
    const file = path.join(directory, 'data', 'postmaster.pid');
    process.kill(readPostmaster(directory)?.pid ?? 0, 'SIGKILL');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/^\d+/, String(process.ppid)));
    const server = await start();
    expect(server.adopted).toBe(false);
    await server.stop();
    await killed.stop();
  });

  it('restricts access to its files to their owner, and leaves no drafts behind', async () => {
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(directory, 'superuser-password'))).mode & 0o777).toBe(0o600);
    expect((await readdir(directory)).filter((name) => name.startsWith('draft'))).toEqual([]);
  });

  it('rejects the data of another major version and explains how to migrate them', async () => {
    const file = path.join(directory, 'data', 'PG_VERSION');
    const version = await readFile(file, 'utf8');
    await writeFile(file, '17\n');
    await expect(start()).rejects.toThrow(/PostgreSQL 17.*backup FILE.*restore FILE/s);
    await writeFile(file, version);
  });
});
