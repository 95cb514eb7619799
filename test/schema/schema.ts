// `npm run generate -- schema` writes the tables of the first migration from the entities. Only before the first release:
// a migration that has run somewhere never changes. With `--check`, it fails if the schema that the migrations create
// differs from the entities.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { MikroORM } from '@mikro-orm/postgresql';

import { migrate } from '#domain/migrations/migrate.js';
import { ormOptions } from '#orm';
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres.js';
import { releaseTags } from '../support/release-tags.ts';
import { SCHEMA_FORM } from '../support/schema-form.ts';
import { superuserUrl } from '../support/superuser.ts';
import { onePerLine } from './one-per-line.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../libs/domain/schema');
const HINT = 'Write a migration, or, before the first release, run "npm run generate" and commit it.\n';

const sqlOf = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8');

const openOrm = (url: string): Promise<MikroORM> =>
  MikroORM.init({ ...ormOptions({ url, poolSize: 2, timeZone: 'UTC' }), logger: () => undefined });

const tablesOf = async (orm: MikroORM): Promise<string> =>
  onePerLine(await orm.schema.getCreateSchemaSQL({ wrap: false }));

/** Creates a schema with `make` and returns its description. */
async function formOf(url: string, make: (orm: MikroORM) => Promise<unknown>): Promise<string[]> {
  const orm = await openOrm(url);
  try {
    await make(orm);
    const rows = await orm.em.getConnection().execute<{ line: string }[]>(SCHEMA_FORM);
    return rows.map(({ line }) => line).sort();
  } finally {
    await orm.close();
  }
}

async function fromEntities(orm: MikroORM): Promise<void> {
  const statements = [
    'CREATE EXTENSION pg_trgm',
    sqlOf('functions.sql'),
    await tablesOf(orm),
    sqlOf('run-as-owner.sql'),
  ];
  for (const statement of statements) await orm.em.getConnection().execute(statement);
}

/** Lines in only one of the lists, each with the name of that list. */
const differences = (migrations: readonly string[], entities: readonly string[]): string[] => [
  ...migrations.filter((line) => !entities.includes(line)).map((line) => `migrations: ${line}`),
  ...entities.filter((line) => !migrations.includes(line)).map((line) => `entities:   ${line}`),
];

async function check(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'merlon-schema-'));
  const directory = path.join(folder, 'postgres');
  const server = await startEmbeddedPostgres({
    directory,
    settings: { fsync: 'off', wal_level: 'minimal', max_wal_senders: '0' },
  });
  try {
    const url = await superuserUrl(directory, server);
    const other = new URL(url);
    other.pathname = '/entities';
    const migrations = await formOf(url, async (orm) => {
      await migrate(orm);
      await orm.em.getConnection().execute('CREATE DATABASE entities TEMPLATE template0');
    });
    const differing = differences(migrations, await formOf(other.href, fromEntities));
    if (differing.length === 0) return;
    process.stderr.write(
      `The schema of the migrations differs from that of the entities:\n\n${differing.join('\n')}\n`,
    );
    process.stderr.write(HINT);
    process.exitCode = 1;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function write(): Promise<void> {
  if (releaseTags().length) return; // the file belongs to the first release
  // No database is needed: the tables depend only on the entities.
  const orm = await openOrm('postgresql://nobody@127.0.0.1:9/none');
  writeFileSync(path.join(FOLDER, 'tables.sql'), `-- Written by "npm run generate".\n\n${await tablesOf(orm)}`);
  await orm.close();
}

await (process.argv.includes('--check') ? check() : write());
