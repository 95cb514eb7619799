import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { findActor } from '#domain/access/user/principal.js';
import { ormOptions } from '#orm';
import { type TestOrganization, useTestApi } from '#test/support/api.js';
import { openArchive, readExportFile } from '#test/support/archives.js';
import { archiveOf, exportAll } from '#test/support/imports.js';
import type { CellValue } from '#files/cell-value.js';
import { CONTENT_MODELS, type ContentModel } from '#domain/exchange/job/content-models.js';
import { describe as describeModel } from '#content/models/models.js';
import { InvalidFiles } from '#files/invalid-files.js';
import { importInProcess } from '#content/import/import-in-process.js';

export type Rows = Record<string, readonly Record<string, CellValue>[]>;

export const jsonArchive = (rows: Record<string, readonly object[]>): Promise<Buffer> =>
  archiveOf(
    Object.fromEntries(
      Object.entries(rows).map(([model, list]) => [`${model}.json`, JSON.stringify({ model, rows: list })]),
    ),
  );

/** Starts a test API. Imports files into its organizations, and reads all content that an import can set. */
export function useRoundTrips() {
  const test = useTestApi();

  let orm: MikroORM;

  beforeAll(async () => {
    orm = await MikroORM.init(ormOptions({ url: test.database.url, poolSize: 6, timeZone: 'UTC' }));
  });

  afterAll(() => orm.close(true));

  const entityManager = (): EntityManager => orm.em;

  /** Imports a file as its organization's administrator; returns the counts. */
  async function imported(
    to: TestOrganization,
    content: Buffer | string,
    model: ContentModel | null = null,
    name = 'library.zip',
  ) {
    const file = path.join(tmpdir(), `merlon-import-${randomUUID()}`);
    await writeFile(file, content);
    try {
      const actor = await findActor(entityManager().fork(), to.admin.id);
      if (!actor) throw new Error('The user does not exist.');
      const watch = { signal: new AbortController().signal, progress: () => undefined };
      const { summary } = await importInProcess(
        entityManager(),
        actor,
        { path: file, fileName: name, model },
        watch,
        () => Promise.resolve(true),
      );
      return summary;
    } catch (error) {
      if (error instanceof InvalidFiles)
        throw new Error(JSON.stringify(error.errors.slice(0, 10), null, 1), { cause: error });
      throw error;
    } finally {
      await rm(file);
    }
  }

  /** The importable columns of everything that an organization sees, by model. */
  async function contentOf({ id }: TestOrganization): Promise<Rows> {
    const archive = await openArchive(await exportAll(entityManager(), id, 'json'));
    const rows: Rows = {};
    for (const model of CONTENT_MODELS) {
      const importedColumns = describeModel(model).columns.filter(({ readOnly }) => !readOnly);
      const file = await readExportFile(archive, `${model}.json`);
      rows[model] = file.rows.map((row) =>
        Object.fromEntries(importedColumns.map(({ name }) => [name, row[name] as CellValue])),
      );
    }
    return rows;
  }

  return { test, entityManager, imported, contentOf };
}
