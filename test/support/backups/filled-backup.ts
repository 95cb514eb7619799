import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BackupSummary } from '#content/backup/write-backup.js';
import { startTestApi, type TestApi } from '../api.js';
import { bodyOf } from '../client.js';
import { CONNECTOR_PARAMS, CONNECTOR_PATHS, makeConnector } from '../connectors.js';
import { emptyDatabase, type TestDatabase } from '../database.js';
import { waitForExport, makeExport } from '../exports.js';
import { makeCountermeasure, makeWeakness, unique } from '../factories.js';
import { importRows } from '../imports.js';
import { makeProject } from '../projects.js';
import type { Countermeasure } from '../resources.js';
import { makeConfig, makeWebhook } from '../webhooks.js';
import { startTestWorker } from '../worker.js';
import { backUp, contentsOf, type Settings } from './backups.js';

/** Timeout of tests that restore a database. */
export const SLOW = 120_000;

/** Files and databases of a suite. */
interface BackupFolder {
  /** A new path in a folder that is removed after the suite. */
  readonly fresh: (name: string) => string;
  /** Drops the database after the current test. */
  readonly dropAfterTest: (database: TestDatabase) => TestDatabase;
  /** An empty database, for the current test. */
  readonly anEmptyDatabase: () => Promise<TestDatabase>;
}

/** Call it outside of tests: it registers hooks. */
export function useBackupFolder(): BackupFolder {
  let folder: string;
  let dropped: TestDatabase[] = [];
  beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'merlon-backup-'))));
  afterEach(async () => {
    for (const database of dropped) await database.drop();
    dropped = [];
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const dropAfterTest = (database: TestDatabase): TestDatabase => {
    dropped.push(database);
    return database;
  };
  return {
    fresh: (name) => path.join(folder, `${randomBytes(4).toString('hex')}-${name}`),
    dropAfterTest,
    anEmptyDatabase: async () => dropAfterTest(await emptyDatabase()),
  };
}

/** Starts an API whose absolute URLs are the same each time. */
export const startApi = (settings: Settings, database?: TestDatabase): Promise<TestApi> =>
  startTestApi({ PUBLIC_URL: 'https://merlon.example.com', ...settings }, database);

/** Addresses of what `fill` made. */
interface Filled {
  readonly addresses: string[];
  /** Address of the file of a finished export. */
  readonly file: string;
  /** Id of an export that no worker has taken. */
  readonly waiting: number;
}

/** Creates at least one row of every kind that a backup treats differently. */
export async function fill(test: TestApi, settings: Settings): Promise<Filled> {
  const { api } = test;
  const weakness = await makeWeakness(api, { text: 'Line\nbreak, "quotes", \\ and 🦉 \t' });
  await makeCountermeasure(api, { problem: weakness.id, tags: ['with,comma', '"quoted"', '{braces}'] });
  await bodyOf(api.patch('/library/tasks/T1/', { priority: 9, title: 'Changed by us' }));
  const webhook = await makeWebhook(api);
  await makeConfig(api, webhook.id);
  for (const [at] of CONNECTOR_PATHS)
    await makeConnector(api, at, { params: { ...CONNECTOR_PARAMS, project: 'shown' } });
  const user = await test.newUser({ firstName: 'Grace' });
  const project = await makeProject(test, { creator: test.organization.admin });
  await test.newOrganization();
  const done = await makeExport(api);
  const worker = await startTestWorker({ ...settings, DATABASE_URL: test.database.applicationUrl });
  try {
    await waitForExport(api, done.id, ['success']);
  } finally {
    await worker.stop();
  }
  const waiting = await makeExport(api);
  await importRows(api, 'weakness', { id: weakness.id, title: unique('Imported') });
  const parts = ['', '/tasks', '/problems', '/threats', '/attributes', '/survey', '/activity-stream'];
  return {
    addresses: [
      ...parts.map((part) => `/projects/${project.id}${part}/`),
      `/library/tasks/T1/`,
      `/library/problems/${weakness.id}/`,
      `/webhooks/${webhook.id}/`,
      `/users/${user.id}/`,
    ],
    file: `/library/export/${done.id}/file/`,
    waiting: waiting.id,
  };
}

/** A backup of a database that `fill` filled, which also refers to a file that its storage has lost. */
export interface FilledBackup {
  readonly test: TestApi;
  readonly dataDir: string;
  readonly settings: Settings;
  /** Path of the backup. */
  readonly file: string;
  readonly written: BackupSummary;
  /** Digests of the tables when the backup began. */
  readonly contents: Awaited<ReturnType<typeof contentsOf>>;
  /** Was created while the backup was being written. */
  readonly made: Countermeasure;
}

/** Writes the backup; close its `test`. */
export async function makeFilledBackup({ fresh }: BackupFolder): Promise<FilledBackup> {
  const dataDir = fresh('data');
  const settings = { DATA_DIR: dataDir };
  const test = await startApi(settings);
  await fill(test, settings);
  await test.database.query(
    `INSERT INTO import_job (organization_id, file_name, file_key, kept_until)
      VALUES ($1, 'a.zip', 'imports/1/lost', 'infinity')`,
    [test.organization.id],
  );
  const file = fresh('backup.tar');
  let created: Countermeasure | undefined;
  const during = async (): Promise<void> => void (created = await makeCountermeasure(test.api));
  const contents = await contentsOf(test.database);
  const written = await backUp(test.database, settings, file, during);
  if (!created) throw new Error('The backup was written without calling `during`.');
  return { test, dataDir, settings, file, written, contents, made: created };
}
