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

/** Match conditions as the second edition had them, by file and item. */
const SECOND_EDITION: readonly (readonly [file: string, id: string, conditions: string])[] = [
  ['countermeasures/cryptography.yaml', 'T464', '{id: MC4501, required: [A87], excluded: []}'],
  ['countermeasures/secure-development.yaml', 'T428', '{id: MC4045, required: [A88], excluded: []}'],
  ['countermeasures/file-handling.yaml', 'T143', '{id: MC248, required: [A41, A45], excluded: []}'],
];

/** Questions of the second edition whose answers are now below headings of other questions. */
const QUESTIONS: readonly (readonly [file: string, heading: string, question: string, dependsOn: string])[] = [
  ['survey/03-users.yaml', 'SQ4', 'Q27', 'A17, A18, A19'],
  ['survey/13-development.yaml', 'SQ10', 'Q42', 'A79'],
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
  await edit('survey/06-files-and-messages.yaml', (text) => text.replace('depends_on: [A4, A41]', 'depends_on: [A41]'));
  const questions: string[] = [];
  for (const [file, heading, question, dependsOn] of QUESTIONS)
    await edit(file, (text) =>
      text.replace(new RegExp(`^ {10}- id: ${heading}\\n(?: {12}.*\\n)+`, 'm'), (block) => {
        const answers = block.slice(block.indexOf('              - id: A')).replaceAll(/^ {4}/gm, '');
        questions.push(`      - id: ${question}
        text: Which of these apply?
        description: Choose all that apply.
        format: MC
        depends_on: [${dependsOn}]
        answers:
${answers}        subquestions: []
`);
        return '';
      }),
    );
  await writeFile(
    path.join(folder, 'survey/18-in-depth.yaml'),
    `id: S17
title: In depth
subsections:
  - id: SS18
    title: In depth
    questions:
${questions.join('')}`,
  );
}

const withConditions = (block: string, conditions: string): string =>
  `${block.slice(0, block.indexOf('  match_conditions:'))}  match_conditions:\n    - ${conditions}\n`;

const { test, select, save, sayNone } = useSurveys();
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

/** What the survey of a project says about some of its answers, and about the question that has them now. */
async function pipelineOf(project: number): Promise<unknown> {
  const { sections } = await bodyOf(test.api.get<Survey>(surveyOf(project)));
  const questions = sections.flatMap((section) => section.questions);
  expect(questions.map(({ id }) => id)).not.toContain('Q42');
  const { answered, none, answers } = questions.find(({ id }) => id === 'Q24') ?? { answers: [] };
  const states = answers.filter(({ id }) => ['A81', 'A180', 'A181'].includes(id)).map(({ state }) => state);
  return { answered, none, states };
}

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

  it('keeps answers, and "None of these", where a question became part of another one', async () => {
    await rm(folder, { recursive: true });
    await writeSecondEdition(folder);
    await loadRelease(test.database, folder);
    const people = await projectWith(['A1', 'A17', 'A116']);
    const [chosen, neither, other, asked] = [
      await projectWith(['A79', 'A180']),
      await projectWith(['A79']),
      await projectWith(['A79', 'A81']),
      await projectWith(['A79']),
    ];
    for (const [project, ...questions] of [
      [chosen, 'Q24'],
      [neither, 'Q24', 'Q42'],
      [other, 'Q42'],
    ] as const) {
      for (const question of questions) await sayNone(project, question);
      await save(project);
    }
    await sayNone(asked, 'Q42');

    await loadRelease(test.database, defaultLibraryFolder());
    expect(await answersOf(people)).toContain('A116');
    expect(await Promise.all([chosen, neither, other, asked].map(pipelineOf))).toEqual([
      { answered: true, none: false, states: ['rejected', 'chosen', 'unanswered'] },
      { answered: true, none: true, states: ['rejected', 'rejected', 'rejected'] },
      { answered: true, none: false, states: ['chosen', 'rejected', 'rejected'] },
      { answered: false, none: false, states: ['unanswered', 'unanswered', 'unanswered'] },
    ]);
    await save(asked);
    expect(await pipelineOf(asked)).toEqual({
      answered: false,
      none: false,
      states: ['unanswered', 'rejected', 'rejected'],
    });
  });
});
