import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';

import { BackupFile } from '#content/backup/backup-file.js';
import { restoreBackup, type RestoreSummary } from '#content/backup/restore-backup.js';
import { type BackupSummary, writeBackup } from '#content/backup/write-backup.js';
import { migrate } from '#domain/migrations/migrate.js';
import { migrations } from '#domain/migrations/index.js';
import { prepareQueueSchema } from '#jobs/queue-schema.js';
import { ormOptions } from '#orm';
import { loadConfiguration } from '#platform/configuration.js';
import { ensureApplicationRole } from '#platform/database/application-role.js';
import { openSecretBox } from '#platform/crypto/secret-box.js';
import { openStorage } from '#platform/storage/open-storage.js';
import type { TestApi } from '../api.js';
import type { ApiClient } from '../client.js';
import type { TestDatabase } from '../database.js';
import { SCHEMA_FORM } from '../schema-form.js';

/** Environment variables of the deployment that is backed up or restored. */
export type Settings = Readonly<Record<string, string>>;

/** An entry of the list of migrations. */
interface NamedMigration {
  readonly name: string;
  readonly class: Constructor<Migration>;
}

const watch = { signal: new AbortController().signal, progress: () => undefined };

/** Runs the work with an ORM, and closes it afterwards. `later`: migrations of a later release. */
export async function withOrm<Result>(
  url: string,
  work: (orm: MikroORM) => Promise<Result>,
  later: readonly NamedMigration[] = [],
): Promise<Result> {
  const orm = await MikroORM.init({
    ...ormOptions({ url, poolSize: 4, timeZone: 'UTC' }),
    migrations: { migrationsList: [...migrations, ...later], snapshot: false },
    logger: () => undefined,
  });
  try {
    return await work(orm);
  } finally {
    await orm.close();
  }
}

const configurationOf = (settings: Settings) => loadConfiguration({ SECRET_KEY: 'k'.repeat(40), ...settings });

/**
 * Writes a backup of a database and its files.
 *
 * @param during is called once, after the first bytes
 * @param signal cancels the backup
 */
export const backUp = (
  database: TestDatabase,
  settings: Settings,
  file: string,
  during?: () => Promise<void>,
  signal = watch.signal,
): Promise<BackupSummary> =>
  withOrm(database.url, async (orm) =>
    writeBackup(orm.em, await openStorage(configurationOf(settings)), { ...watch, signal }, async (bytes) => {
      let first = true;
      async function* interrupted(): AsyncGenerator<Buffer> {
        for await (const piece of bytes) {
          yield piece;
          if (first) await during?.();
          first = false;
        }
      }
      await pipeline(interrupted(), createWriteStream(file));
    }),
  );

/** Restores a backup as the command does. `later`: migrations of a later release. */
export const restore = (
  file: string,
  database: TestDatabase,
  settings: Settings,
  {
    replace = false,
    signal = watch.signal,
    later = [],
  }: { replace?: boolean; signal?: AbortSignal; later?: readonly NamedMigration[] } = {},
): Promise<RestoreSummary> =>
  withOrm(
    database.url,
    async (orm) => {
      const configuration = configurationOf(settings);
      const backup = await BackupFile.open(file, signal);
      const applicationRole = await ensureApplicationRole(database.url, database.applicationUrl);
      try {
        const target = {
          orm,
          files: await openStorage(configuration),
          secrets: openSecretBox(configuration),
          replace,
          applicationRole,
        };
        const summary = await restoreBackup(backup, target, { ...watch, signal });
        await prepareQueueSchema(database.url, applicationRole);
        return summary;
      } finally {
        await backup.close();
      }
    },
    later,
  );

/** Creates this release's schema in an empty database. */
export const setUp = (database: TestDatabase): Promise<unknown> => withOrm(database.url, (orm) => migrate(orm));

/** Number of tables, without those of MikroORM. */
export async function tablesIn(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'mikro_orm_migrations'`,
  );
  return row?.count ?? -1;
}

/** Not compared: transaction ids differ between clusters, and every request updates `last_used_at`. */
const OF_THE_MOMENT = ['activity.transaction_id', 'webhook_delivery.horizon', 'api_token.last_used_at'];

/** A digest of the content of every table, by name. */
export async function contentsOf(database: TestDatabase): Promise<Record<string, string>> {
  const columns = await database.query<{ table: string; columns: string }>(
    `SELECT table_name AS "table",
      string_agg(quote_ident(column_name) || '::text', ', ' ORDER BY column_name) AS columns
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'mikro_orm_migrations'
       AND table_name || '.' || column_name <> ALL ($1)
     GROUP BY table_name ORDER BY table_name`,
    [OF_THE_MOMENT],
  );
  const digests = columns.map(
    ({ table, columns }) =>
      `SELECT '${table}' AS name,
        count(*) || ' rows, ' || coalesce(md5(string_agg(r::text, E'\\n' ORDER BY r::text)), '') AS digest
       FROM (SELECT ${columns} FROM "${table}") r`,
  );
  const rows = await database.query<{ name: string; digest: string }>(digests.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/**
 * The schema of a database, one line for each object, with its privileges, sequences and migrations. The sequence of
 * role ids is left out, because every set-up advances it.
 */
export async function formOf(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ line: string }>(
    `SELECT line FROM (
       ${SCHEMA_FORM}
       UNION ALL SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default)
         FROM information_schema.columns WHERE table_schema = 'reporting'
       UNION ALL SELECT format('%s %s', sequencename, last_value) FROM pg_sequences
         WHERE schemaname = 'public' AND sequencename NOT LIKE 'mikro_orm%' AND sequencename <> 'global_role_id_seq'
       UNION ALL SELECT has_schema_privilege('merlon_reporting', 'reporting', 'USAGE')::text
       UNION ALL SELECT name FROM mikro_orm_migrations
     ) lines ORDER BY line COLLATE "C"`,
  );
  return rows.map(({ line }) => line);
}

/** Fields that change with every request or with time. */
const VOLATILE = /"(last_used|lastRefreshTime|date_from|date_to)": ?("[^"]*"|null)/g;
const NEVER_THE_SAME = ['/api/v2/users/me/auth-token/', '/api/v2/events/'];

/** The user's responses from every documented GET operation without parameters, and from these paths. */
export async function answersOf(
  test: TestApi,
  api: ApiClient,
  more: readonly string[],
): Promise<Record<string, string>> {
  const documented = Object.entries(test.document.paths)
    .filter(([path, item]) => 'get' in item && !path.includes('{') && !NEVER_THE_SAME.includes(path))
    .map(([path]) => `${test.origin}${path}`);
  const answers: Record<string, string> = {};
  for (const path of [...documented, ...more]) {
    const { status, text } = await api.get(path);
    answers[path.replace(test.origin, '')] = `${status} ${text.replaceAll(VOLATILE, '').replaceAll(test.origin, '')}`;
  }
  return answers;
}
