import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { operatorOf } from '#domain/kernel/operator.js';
import { countermeasureBody, makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import { activitiesOf } from '#test/support/records.js';
import { importInProcess } from './import-in-process.js';
import { jsonArchive, useRoundTrips } from '#test/support/round-trips.js';

const { test, entityManager, imported, contentOf } = useRoundTrips();

describe('An imported file', () => {
  const many = (row: (n: number) => object) => Array.from({ length: 1200 }, (_, n) => row(n));

  it('can give the id of an answer after a thousand questions without ids', async () => {
    const one = await test.newOrganization();
    const rows = many((n) => ({
      text: `Question ${n}?`,
      question_type: 'SC',
      answers: [{ ...(n === 1199 && { id: 'CAA2' }), text: 'Yes' }],
    }));
    await imported(one, await jsonArchive({ component_question: rows }));
    const questions = (await contentOf(one))['component_question'] ?? [];
    const ids = questions.map(({ answers }) => (answers as { id: string }[])[0]?.id);
    expect(ids.at(-1)).toBe('CAA2');
    expect(new Set(ids).size).toBe(questions.length);
  });

  it('can give the id of a prompt context after a thousand prompts without ids', async () => {
    const one = await test.newOrganization();
    const rows = many((n) => ({
      title: `Prompt ${n}`,
      type: 'survey',
      prompt: 'Say.',
      contexts: [{ ...(n === 1199 && { id: 1001 }), name: 'c', content_type: 'text', text: '-' }],
    }));
    await imported(one, await jsonArchive({ workflow_prompt: rows }));
    const prompts = (await contentOf(one))['workflow_prompt'] ?? [];
    const last = prompts.find(({ title }) => title === 'Prompt 1199');
    expect(last?.['contexts']).toEqual([expect.objectContaining({ id: 1001 })]);
  });

  it('can deactivate a weakness and add active countermeasures of it, with or without an id', async () => {
    const one = await test.newOrganization();
    const { id: problem } = await makeWeakness(one.api);
    const { id } = await makeCountermeasure(one.api, { problem });
    await imported(
      one,
      await jsonArchive({
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
  });

  it('puts sections without an ordinal after all sections that the organization sees', async () => {
    const [one, other] = [await test.newOrganization(), await test.newOrganization()];
    await imported(other, await jsonArchive({ section: [{ title: 'Far behind', ordinal: 900_000 }] }));
    const before = (await contentOf(one))['section'] ?? [];
    const last = Math.max(...before.map(({ ordinal }) => Number(ordinal)));
    await imported(
      one,
      await jsonArchive({ section: [{ title: 'A' }, { title: 'B', ordinal: last + 9 }, { title: 'C' }] }),
    );
    const after = (await contentOf(one))['section']?.slice(before.length);
    expect(after?.map(({ ordinal }) => ordinal)).toEqual([last + 1, last + 9, last + 10]);
  });

  it('can change the countermeasures of a regulation section without its other fields', async () => {
    const one = await test.newOrganization();
    const section = { id: 'CRS1', regulation: 'CREG1', title: 'Of ours', countermeasures: ['T1', 'T2'] };
    await imported(
      one,
      await jsonArchive({ regulation: [{ id: 'CREG1', name: 'Ours' }], regulation_section: [section] }),
    );
    await imported(one, await jsonArchive({ regulation_section: [{ id: 'CRS1', countermeasures: ['T3'] }] }));
    expect((await contentOf(one))['regulation_section']).toContainEqual(
      expect.objectContaining({ id: 'CRS1', title: 'Of ours', countermeasures: ['T3'] }),
    );
  });
});

describe('An import from the command line', () => {
  it('records an activity for each step, without an actor', async () => {
    const file = path.join(tmpdir(), `merlon-import-${randomUUID()}`);
    await writeFile(file, JSON.stringify({ rows: [countermeasureBody()] }));
    const watch = { signal: new AbortController().signal, progress: () => undefined };
    const source = { path: file, fileName: 'standard.json', model: 'standard' as const };
    const activities = await activitiesOf(test, () =>
      importInProcess(entityManager(), operatorOf(test.organization.id), source, watch, () => Promise.resolve(true)),
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
  });
});
