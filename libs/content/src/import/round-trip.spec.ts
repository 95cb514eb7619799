import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { operatorOf } from '#domain/kernel/operator.js';
import { findActor } from '#domain/access/user/principal.js';
import { ormOptions } from '#orm';
import { type TestOrganization, useTestApi } from '#test/support/api.js';
import { anyCharacter } from '#test/support/any-character.js';
import { openArchive, readExportFile } from '#test/support/archives.js';
import { bodyOf } from '#test/support/client.js';
import {
  countermeasureBody,
  makeComponent,
  makeCountermeasure,
  makeThreat,
  makeWeakness,
} from '#test/support/factories.js';
import { archiveOf, exportAll } from '#test/support/imports.js';
import { activitiesOf } from '#test/support/records.js';
import type { CellValue } from '#files/cell-value.js';
import { CONTENT_MODELS, type ContentModel, FILE_FORMATS } from '#domain/exchange/job/content-models.js';
import { describe as describeModel } from '../models/models.js';
import { ImportFailure } from './formats/import-failure.js';
import { importHere } from './import-here.js';

const test = useTestApi();
let orm: MikroORM;
beforeAll(async () => {
  orm = await MikroORM.init(ormOptions({ url: test.database.url, poolSize: 6, timeZone: 'UTC' }));
});
afterAll(() => orm.close(true));

/** Imports a file as its organization's administrator; answers the counts. */
async function imported(
  to: TestOrganization,
  content: Buffer | string,
  model: ContentModel | null = null,
  name = 'library.zip',
) {
  const file = path.join(tmpdir(), `merlon-test-${randomUUID()}`);
  await writeFile(file, content);
  try {
    const actor = await findActor(orm.em.fork(), to.admin.id);
    if (!actor) throw new Error('There is no such user.');
    const watch = { signal: new AbortController().signal, progress: () => undefined };
    const { summary } = await importHere(orm.em, actor, { path: file, fileName: name, model }, watch, () =>
      Promise.resolve(true),
    );
    return summary;
  } catch (error) {
    if (error instanceof ImportFailure)
      throw new Error(JSON.stringify(error.errors.slice(0, 10), null, 1), { cause: error });
    throw error;
  } finally {
    await rm(file);
  }
}

type Rows = Record<string, readonly Record<string, CellValue>[]>;

/** What an import takes of everything that an organization sees, by model. */
async function contentOf({ id }: TestOrganization): Promise<Rows> {
  const archive = await openArchive(await exportAll(orm.em, id, 'json'));
  const rows: Rows = {};
  for (const model of CONTENT_MODELS) {
    const taken = describeModel(model).columns.filter(({ readOnly }) => !readOnly);
    const file = await readExportFile(archive, `${model}.json`);
    rows[model] = file.rows.map((row) => Object.fromEntries(taken.map(({ name }) => [name, row[name] as CellValue])));
  }
  return rows;
}

const inJson = (rows: Record<string, readonly object[]>): Promise<Buffer> =>
  archiveOf(
    Object.fromEntries(
      Object.entries(rows).map(([model, list]) => [`${model}.json`, JSON.stringify({ model, rows: list })]),
    ),
  );

/** Content of every kind, which refers to each other in every way, and in no good order. */
const EVERYTHING = {
  phase: [
    { id: 'CX7', name: 'Threat modelling', description: 'Early.', tip: '=1', ordinal: 9, active: false, retain: true },
  ],
  glossary_term: [{ term: 'Moat', definition: 'Water around **it**.' }],
  section: [{ id: 'CS3', title: 'Ours', ordinal: 40 }],
  subsection: [
    { id: 'CSS3', section: 'CS3', title: 'Sub' },
    { section: 'S1', title: 'Within what ships' },
  ],
  attribute: [
    { id: 'CAT5', name: 'Deep', parent: 'CAT9' },
    { id: 'CAT9', name: 'Above', parent: 'AT1' },
    { id: 'CAT10', name: 'Root', description: "'=1", active: false, parent: null },
    { id: 'AT2', active: false },
  ],
  question: [
    { id: 'CQ2', text: 'Really?', format: 'SC', subsection: 'CSS3', depends_on: ['CA8', 'A1'] },
    { id: 'CQ1', text: 'Which?', description: 'One.', format: 'MC', subsection: 'CSS3' },
  ],
  subquestion: [{ id: 'CSQ1', question: 'CQ1', text: 'And?' }],
  answer: [
    { id: 'CA8', text: 'Yes', question: 'CQ1', attributes: ['CAT5', 'AT1'], display_text: 'Yes, ours' },
    { id: 'CA9', text: 'No', question: 'CQ1', subquestion: 'CSQ1', is_active: false },
    { text: 'Perhaps', question: 'CQ2' },
  ],
  weakness: [
    {
      id: 'CP2',
      title: 'Ours',
      text: 'x',
      risk_rating: 3,
      cwe: [79, 89],
      category: 'Cat',
      match_conditions: [{ required: ['CA8'], excluded: ['A1'] }],
    },
    { id: 'P2', active: false },
    { id: 'P3', title: 'Renamed', risk_rating: 1 },
  ],
  standard: [
    {
      id: 'CT5',
      title: 'Ours',
      text: 'x',
      problem: 'CP2',
      priority: 9,
      phase: 'CX7',
      tags: ['b', 'a'],
      categories: ['c'],
      verification_coverage: ['v'],
      active: false,
    },
    { id: 'T2', text: 'Changed', match_conditions: [{ required: ['CA9'] }, { required: ['A2'], excluded: ['A3'] }] },
  ],
  amendment: [
    { id: 'CTA1', task: 'CT5', title: 'More', text: 'x', ordinal: -1, match_conditions: [{ required: ['A1'] }] },
    { task: 'T1', title: 'More of T1', text: 'x' },
  ],
  implementation: [{ task: 'CT5', title: 'How to', text: 'x', slug: 'a-slug' }],
  regulation: [{ id: 'CREG1', name: 'House rules', version: '2' }],
  regulation_section: [
    { regulation: 'CREG1', code: '1', title: 'One', countermeasures: ['CT5', 'T1'] },
    { regulation: 'REG1', title: 'Two' },
  ],
  component_question: [
    {
      id: 'CAQ4',
      text: 'Cache?',
      question_type: 'SC',
      answers: [{ id: 'CAA3', text: 'Yes', attribute: 'CAT9' }, { text: 'No' }],
    },
    { id: 'CAQ5', text: 'Which?', question_type: 'MC', answers: [] },
  ],
  component: [
    {
      id: 'CSC2',
      title: 'Ours',
      answer_mapping: 'CA8',
      tasks_implemented: ['CT5', 'T3'],
      tasks_introduced: ['T1'],
      hidden: false,
      implied_attributes: ['CAT5'],
      icon_slug: 'database',
      component_questions: [{ question: 'CAQ4' }, { question: 'CAQ5', parent_answer: 'CAA3' }],
    },
    { id: 'SC1', title: 'Renamed', hidden: true },
  ],
  threat: [
    {
      id: 'CTH3',
      title: 'Ours',
      text: 'x',
      severity: 4,
      capecs: [1],
      problems: ['CP2', 'P1'],
      stride: ['S'],
      match_conditions: [{ excluded: ['CA8'] }],
    },
    { id: 'TH1', severity: 1 },
  ],
  profile: [{ name: 'Ours', answers: ['CA8', 'A1'], default: true, logo_url: null }],
  workflow_prompt: [
    {
      id: '1234',
      title: 'Ours',
      type: 'survey',
      prompt: 'Say {{a}}',
      variables: ['a'],
      contexts: [
        { id: 1300, name: 'c', content_type: 'text', text: '-' },
        { id: 1301, name: 'd', content_type: 'library_item', reference: 'CP2' },
      ],
    },
    { id: '1', active: false },
  ],
  training_module: [
    {
      id: 'CTM4',
      title: 'Threats',
      description: 'Two **hours**.',
      url: 'https://example.com/4',
      active: false,
      countermeasures: ['CT5', 'T1'],
    },
    { id: 'CTM2', title: 'Of nothing' },
    { title: 'Counted' },
  ],
};

describe('Content of every kind', () => {
  let one: TestOrganization;
  let first: Rows;
  beforeAll(async () => {
    one = await test.newOrganization();
    await imported(one, await inJson(EVERYTHING));
    first = await contentOf(one);
  }, 60_000);

  it('has the ids that it was imported with', () => {
    for (const [model, rows] of Object.entries(EVERYTHING))
      for (const row of rows)
        if ('id' in row)
          expect(first[model]).toContainEqual(
            expect.objectContaining({ id: model === 'workflow_prompt' ? Number(row.id) : row.id }),
          );
  });

  it.each(FILE_FORMATS)(
    'goes by %s from one organization into an empty one and comes out the same',
    async (format) => {
      const exported = await exportAll(orm.em, one.id, format);
      const other = await test.newOrganization();
      await imported(other, exported);
      expect(await contentOf(other)).toEqual(first);

      const again = await imported(other, exported);
      for (const counts of Object.values(again))
        expect(counts).toMatchObject({ created: 0, updated: 0, deactivated: 0 });
    },
    180_000,
  );

  it('keeps both lists of conditions, whichever the mode shows', async () => {
    const one = await test.newOrganization();
    const { id } = await makeCountermeasure(one.api, { match_conditions: [{ required: ['A1'] }] });
    await bodyOf(one.api.post('/flags/', { name: 'DECISION_ENGINE' }), 201);
    const { match_conditions: [condition] = [] } = await bodyOf(
      one.api.get<{ match_conditions?: { id: string }[] }>(`/library/tasks/${id}/`, { include: 'match_conditions' }),
    );
    await bodyOf(
      one.api.patch(`/library/tasks/${id}/`, {
        match_conditions: [{ id: condition?.id, excluded_attributes: ['AT1'] }],
      }),
    );
    const [first] = (await contentOf(one))['standard']?.filter((row) => row['id'] === id) ?? [];
    expect(first?.['match_conditions']).toEqual([
      expect.objectContaining({
        required: ['A1'],
        excluded: [],
        required_attributes: [],
        excluded_attributes: ['AT1'],
      }),
    ]);
    const other = await test.newOrganization();
    await imported(other, await exportAll(orm.em, one.id, 'csv'));
    await bodyOf(other.api.post('/flags/', { name: 'DECISION_ENGINE' }), 201);
    expect(await contentOf(other)).toEqual(await contentOf(one));
  }, 180_000);

  it('made by hand goes the same way', async () => {
    const one = await test.newOrganization();
    const weakness = await makeWeakness(one.api, { cwe: [79] });
    const { id } = await makeCountermeasure(one.api, {
      problem: weakness.id,
      match_conditions: [{ required: ['A1'] }],
    });
    await makeThreat(one.api, { problems: [weakness.id] });
    await makeComponent(one.api, { tasks_implemented: [id] });
    await bodyOf(one.api.patch(`/library/tasks/T4/`, { match_conditions: [{ required: ['A2'] }] }));
    await bodyOf(one.api.patch(`/library/problems/P1/`, { active: false }));
    await bodyOf(one.api.patch(`/library/tasks/T1/`, { active: true }));
    const other = await test.newOrganization();
    await imported(other, await exportAll(orm.em, one.id, 'yaml'));
    expect(await contentOf(other)).toEqual(await contentOf(one));
  }, 180_000);
});

describe('A file', () => {
  const many = (row: (n: number) => object) => Array.from({ length: 1200 }, (_, n) => row(n));

  it('may give a number to an answer of a question behind a thousand that give none', async () => {
    const one = await test.newOrganization();
    const rows = many((n) => ({
      text: `Question ${n}?`,
      question_type: 'SC',
      answers: [{ ...(n === 1199 && { id: 'CAA2' }), text: 'Yes' }],
    }));
    await imported(one, await inJson({ component_question: rows }));
    const questions = (await contentOf(one))['component_question'] ?? [];
    const ids = questions.map(({ answers }) => (answers as { id: string }[])[0]?.id);
    expect(ids.at(-1)).toBe('CAA2');
    expect(new Set(ids).size).toBe(questions.length);
  }, 60_000);

  it('may give a number to a context of a prompt behind a thousand that give none', async () => {
    const one = await test.newOrganization();
    const rows = many((n) => ({
      title: `Prompt ${n}`,
      type: 'survey',
      prompt: 'Say.',
      contexts: [{ ...(n === 1199 && { id: 1001 }), name: 'c', content_type: 'text', text: '-' }],
    }));
    await imported(one, await inJson({ workflow_prompt: rows }));
    const prompts = (await contentOf(one))['workflow_prompt'] ?? [];
    const last = prompts.find(({ title }) => title === 'Prompt 1199');
    expect(last?.['contexts']).toEqual([expect.objectContaining({ id: 1001 })]);
  }, 60_000);

  it('that switches a weakness off may bring an active countermeasure of it, with an id or without', async () => {
    const one = await test.newOrganization();
    const { id: problem } = await makeWeakness(one.api);
    const { id } = await makeCountermeasure(one.api, { problem });
    await imported(
      one,
      await inJson({
        weakness: [{ id: problem, active: false }],
        standard: [
          countermeasureBody({ title: 'With', id: 'CT77', problem, active: true }),
          countermeasureBody({ title: 'Without', problem, active: true }),
          countermeasureBody({ title: 'Silent', problem }),
        ],
      }),
    );
    const countermeasures = (await contentOf(one))['standard']?.filter((row) => row['problem'] === problem);
    expect(countermeasures?.map(({ id, title, active }) => [id, title, active])).toEqual([
      [id, expect.any(String), false],
      ['CT77', 'With', true],
      ['CT78', 'Without', true],
      ['CT79', 'Silent', false],
    ]);
  }, 60_000);
});

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      "'",
      '\n',
      '\r',
      '\t',
      ',',
      ';',
      '=',
      ' ',
      '-',
      ':',
      '#',
      '_x000A_',
      '\u202e',
      '😀',
      '0',
      '|',
    ),
    maxLength: 20,
  }),
  fc.constantFrom(
    '=1+1',
    '＝1',
    '\n=1',
    'a;b',
    "'=1",
    "''",
    '007',
    '1e5',
    'true',
    'null',
    '~',
    '- a\n- b',
    'a\r\nb',
    ' x ',
    '\ufeffx',
    '\u2028',
    '\u05d0\u05d1',
    '|\n x',
    '"',
    '{{x}}',
    'ـ\u200f',
    '&amp;<b>',
    ']]>',
  ),
);
/** What the API takes as a text: not blank, and no character that no text may have. */
const text = hostile.filter((value) => value.trim() !== '' && !value.includes('\0') && value.isWellFormed());

describe('An import from the command line', () => {
  it('tells of each of its steps, in nobody’s name', async () => {
    const file = path.join(tmpdir(), `merlon-test-${randomUUID()}`);
    await writeFile(file, JSON.stringify({ rows: [countermeasureBody()] }));
    const watch = { signal: new AbortController().signal, progress: () => undefined };
    const source = { path: file, fileName: 'standard.json', model: 'standard' as const };
    const activities = await activitiesOf(test, () =>
      importHere(orm.em, operatorOf(test.organization.id), source, watch, () => Promise.resolve(true)),
    );
    await rm(file);
    expect(activities.map(({ name, actor_id: actor }) => [name, actor])).toEqual(
      [
        'CreatedImportJobActivity',
        'AcceptedImportJobActivity',
        'CreatedStandardActivity',
        'CompletedImportJobActivity',
      ].map((name) => [name, null]),
    );
  }, 60_000);
});

describe('Hostile texts', () => {
  it.each(FILE_FORMATS)(
    'survive %s',
    async (format) => {
      const one = await test.newOrganization();
      const other = await test.newOrganization();
      const texts = fc.sample(
        fc.tuple(
          text,
          text,
          fc.array(
            text.map((tag) => tag.slice(0, 90).toWellFormed()),
            { maxLength: 3 },
          ),
        ),
        80,
      );
      const rows = texts.map(([title, body, tags]) => countermeasureBody({ title, text: body, tags }));
      rows.push(
        countermeasureBody({ text: '😀'.repeat(100_000) }),
        countermeasureBody({ text: `${'x'.repeat(99_990)}\n'=1"\r\n` }),
      );
      await imported(one, JSON.stringify({ rows }), 'standard', 'a.json');
      const before = (await contentOf(one))['standard']?.filter(({ id }) => String(id).startsWith('C'));
      expect(before?.map((row) => row['text'])).toEqual(rows.map((row) => row['text']));
      await imported(other, await exportAll(orm.em, one.id, format));
      expect((await contentOf(other))['standard']?.filter(({ id }) => String(id).startsWith('C'))).toEqual(before);
    },
    180_000,
  );

  it.each(['\0', '\ud800'])('with a character that no text may have (%j) are refused', async (bad) => {
    const one = await test.newOrganization();
    const rows = [countermeasureBody({ title: `a${bad}b` })];
    await expect(imported(one, JSON.stringify({ rows }), 'standard', 'a.json')).rejects.toThrow(/not allowed/);
  });
});
