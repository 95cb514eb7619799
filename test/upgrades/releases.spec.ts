import path from 'node:path';

import { contentsOf, formOf, setUp } from '../support/backups/backups.js';
import { useBackupFolder } from '../support/backups/filled-backup.js';
import { type ApiClient, bodyOf, rowsOf } from '../support/client.js';
import { makeCountermeasure } from '../support/factories.js';
import { releaseTags } from '../support/release-tags.js';
import { checkOut, editedMigrations, Release } from '../support/releases.js';
import type { Countermeasure, List } from '../support/resources.js';

/** Each release starts four programs from their sources, and may install its packages. */
const VERY_SLOW = 600_000;

interface Project {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
}

interface ProjectCountermeasure {
  readonly id: string;
  readonly status: unknown;
}

/** What organizations wrote: a later release may add fields, and may change built-in content. */
async function written(api: ApiClient, custom: string) {
  const { title, priority } = await bodyOf(api.get<Countermeasure & { priority: number }>('/library/tasks/T1/'));
  const projects = await rowsOf(api.get<List<Project>>('/projects/', { page_size: 100, ordering: 'id' }));
  const statuses = [];
  for (const { id } of projects)
    for (const row of await rowsOf(api.get<List<ProjectCountermeasure>>(`/projects/${id}/tasks/`, { page_size: 1000 })))
      statuses.push({ project: id, countermeasure: row.id, status: row.status });
  return {
    customized: { title, priority },
    custom: await bodyOf(api.get<object>(`/library/tasks/${custom}/`)),
    projects: projects.map(({ id, name, slug }) => ({ id, name, slug })),
    statuses,
  };
}

/** Sequences of rows that a set-up creates have advanced further where there are more rows. */
const withoutNumbers = (lines: readonly string[]) => lines.filter((line) => !/^\w+_seq /.test(line));

describe('The releases in the change log', () => {
  const { fresh, anEmptyDatabase } = useBackupFolder();

  it('are each listed once', () => {
    const tags = releaseTags();
    expect(tags).toEqual([...new Set(tags)]);
  });

  for (const tag of releaseTags()) {
    it(`keep their migrations since ${tag}: a new one is added instead`, async () => {
      expect(await editedMigrations(tag)).toBe('');
    });

    it(
      `can be upgraded from ${tag}, with customized content and projects`,
      async () => {
        const [database, newlyMade] = [await anEmptyDatabase(), await anEmptyDatabase()];
        const settings = {
          DATABASE_URL: database.applicationUrl,
          DATABASE_OWNER_URL: database.ownerUrl,
          DATA_DIR: fresh('data'),
        };
        const release = await checkOut(tag, fresh(path.basename(tag)));
        expect(await release.admin(settings, 'setup')).toMatchObject({ fresh: true });
        await release.admin(settings, 'demo');
        const { before, custom } = await release.serve(settings, async (api) => {
          await bodyOf(api.patch('/library/tasks/T1/', { priority: 9, title: 'Changed by us' }));
          const { id } = await makeCountermeasure(api, { title: 'Made by us' });
          return { before: await written(api, id), custom: id };
        });
        expect(before.statuses.length).toBeGreaterThan(100);

        expect(await Release.current.admin(settings, 'setup')).toMatchObject({ fresh: false });
        await Release.current.serve(settings, async (api) => {
          const { statuses, ...others } = await written(api, custom);
          expect(others).toMatchObject({
            customized: before.customized,
            custom: before.custom,
            projects: before.projects,
          });
          expect(statuses).toEqual(expect.arrayContaining(before.statuses));
          await bodyOf(api.patch('/library/tasks/T1/', { title: 'Changed after the upgrade' }));
        });
        await setUp(newlyMade);
        expect(withoutNumbers(await formOf(database))).toEqual(withoutNumbers(await formOf(newlyMade)));

        const contents = await contentsOf(database);
        const again = await Release.current.admin(settings, 'setup');
        expect(again).toMatchObject({ migrations: [], library: { loaded: false } });
        expect(await contentsOf(database)).toEqual(contents);
      },
      VERY_SLOW,
    );
  }
});
