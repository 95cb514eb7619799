import { EntityManager } from '@mikro-orm/postgresql';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { bodyOf, type Answer } from '#test/support/client.js';
import type { ProjectCountermeasure } from '#test/support/project-content.js';
import { makeProject } from '#test/support/projects.js';
import { loadRelease } from '#test/support/release.js';
import { type Survey, surveyOf, useSurveys } from '#test/support/surveys.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { propagateLibraryChanges, refreshDueProjects } from '#domain/projects/project-content/library-change.js';
import { defaultLibraryFolder } from '../schema/library-files.js';

/** Match conditions and a question as the second edition had them, by file and item. */
const SECOND_EDITION: readonly (readonly [file: string, id: string, conditions: string])[] = [
  ['countermeasures/cryptography.yaml', 'T464', '{id: MC4501, required: [A87], excluded: []}'],
  ['countermeasures/secure-development.yaml', 'T428', '{id: MC4045, required: [A88], excluded: []}'],
  ['countermeasures/file-handling.yaml', 'T143', '{id: MC248, required: [A41, A45], excluded: []}'],
];

/** Writes the library as an earlier edition had it into a folder. */
async function writeSecondEdition(folder: string): Promise<void> {
  await cp(defaultLibraryFolder(), folder, { recursive: true });
  const edit = async (file: string, change: (text: string) => string) => {
    const where = path.join(folder, file);
    await writeFile(where, change(await readFile(where, 'utf8')));
  };
  for (const [file, id, conditions] of SECOND_EDITION)
    await edit(file, (text) =>
      text
        .split(/^(?=- id: )/m)
        .map((block) => (block.startsWith(`- id: ${id}\n`) ? withConditions(block, conditions) : block))
        .join(''),
    );
  await edit('survey/03-data.yaml', (text) => text.replace('depends_on: [A4, A41]', 'depends_on: [A41]'));
}

const withConditions = (block: string, conditions: string): string =>
  `${block.slice(0, block.indexOf('  match_conditions:'))}  match_conditions:\n    - ${conditions}\n`;

const { test, select, save } = useSurveys();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'library-'));
  await writeSecondEdition(folder);
  await loadRelease(test.database, folder);
});
afterAll(() => rm(folder, { recursive: true }));

async function projectWith(answers: readonly string[]): Promise<number> {
  const { id } = await makeProject(test);
  for (const answer of answers) await select(id, answer);
  await save(id);
  return id;
}

const taskOf = (project: number, task: string): Promise<Answer<ProjectCountermeasure>> =>
  test.api.get<ProjectCountermeasure>(`/projects/${project}/tasks/${task}/`);

const answersOf = async (project: number): Promise<string[]> =>
  (await bodyOf(test.api.get<Survey>(surveyOf(project)))).answers;

const WEB = ['A1', 'A14', 'A41', 'A45', 'A87'];
const DEVICE = ['A5', 'A16', 'A87'];

describe('A project from the second edition of the starter library', () => {
  it('gets other match conditions as a pending update, and keeps its answers and what people did', async () => {
    const web = await projectWith(WEB);
    const [device, untouched] = [await projectWith(DEVICE), await projectWith(DEVICE)];
    expect([(await taskOf(web, 'T428')).status, (await taskOf(web, 'T143')).status]).toEqual([404, 200]);
    await bodyOf(test.api.patch(`/projects/${device}/tasks/T464/`, { status: 'TS1' }));
    const answers = await Promise.all([web, device].map(answersOf));

    await loadRelease(test.database, defaultLibraryFolder());
    expect(await bodyOf(test.api.get('/library/refresh-status/'))).toMatchObject({ pending: 3 });
    expect((await taskOf(web, 'T428')).status).toBe(404);
    const organizationId = test.organization.id;
    await inTransaction(test.running.app.get(EntityManager), { organizationId }, async (em) => {
      await propagateLibraryChanges(em, organizationId);
      await refreshDueProjects(em, organizationId, 10);
    });

    expect(await Promise.all([web, device].map(answersOf))).toEqual(answers);
    expect(await bodyOf(taskOf(web, 'T428'))).toMatchObject({ relevant: true });
    expect(await bodyOf(taskOf(web, 'T143'))).toMatchObject({ relevant: true });
    expect(await bodyOf(taskOf(web, 'T464'))).toMatchObject({ relevant: true });
    expect(await bodyOf(taskOf(device, 'T464'))).toMatchObject({ relevant: false, status: 'TS1' });
    expect((await taskOf(untouched, 'T464')).status).toBe(404);
  });
});
