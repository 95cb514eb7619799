import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { useTestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { makeApplication } from '../support/projects.js';
import type { Component, Countermeasure, List } from '../support/resources.js';
import type { Use } from './generated-clients/answers.js';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
const generator = path.join(import.meta.dirname, 'generated-clients/generate.mjs');

describe('Clients generated from the document', () => {
  const test = useTestApi();
  let folder: string;
  let compilerErrors: string;

  // A minute of processor time at most, but the machine may be busy.
  beforeAll(async () => {
    const parent = path.join(root, 'node_modules', '.merlon');
    await mkdir(parent, { recursive: true });
    folder = await mkdtemp(path.join(parent, 'generated-clients-'));
    await writeFile(path.join(folder, 'openapi.json'), JSON.stringify(test.document));
    await run(process.execPath, [generator, folder, test.origin]);
    compilerErrors = await run(process.execPath, [compiler, '-p', folder]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('compile with the strict options of TypeScript', () => {
    expect(compilerErrors).toBe('');
  });

  it('include merlon-client, whose README has examples that work', async () => {
    const user = (await test.newOrganization()).admin;
    const application = (await makeApplication(user.api)).id;
    const project = await bodyOf(user.api.post<{ id: number }>('/projects/', { name: 'Web shop', application }), 201);
    const env = { PATH: process.env['PATH'] ?? '', MERLON_URL: test.origin, MERLON_TOKEN: user.token };
    const { stdout } = await run(process.execPath, [path.join(folder, 'compiled/examples.js')], { env });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual([`Signed in as ${user.email}`, `Project ${project.id}`]);
    const open = lines.slice(2, -2);
    expect(open).toHaveLength(30);
    const first = open[0]?.split(' ')[0] ?? '';
    expect(lines.slice(-2)).toEqual([`${first} is TS1`, 'May not be released']);
    const countermeasure = `/projects/${project.id}/tasks/${first}/`;
    const notes = await bodyOf(user.api.get<List<{ text: string }>>(`${countermeasure}notes/`));
    expect(notes.results.map(({ text }) => text)).toContainEqual(expect.stringContaining('review of November'));
  });

  it.each(['openapi-fetch', 'hey-api', 'orval'])('return the same as plain requests (%s)', async (name) => {
    const module = pathToFileURL(path.join(folder, 'compiled', `use-${name}.js`)).href;
    const { use } = (await import(module)) as { use: Use };
    const { api, token } = (await test.newOrganization()).admin;
    const { comparison, lists, page, created, changed } = await use(test.origin, `Token ${token}`);

    const list = (query: string): Promise<List<Countermeasure>> => bodyOf(api.get(`/library/tasks/?${query}`));
    expect(comparison).toEqual(await list('priority__gte=8'));
    const phases = 'phase__in=X2,X3&ordering=-priority,title&include=tags,match_conditions&exclude=text,phase';
    expect(lists).toEqual(await list(phases));
    expect(page).toEqual(await list('page=2&page_size=3'));

    // Each of them differs from the list without parameters.
    const { results } = await list('');
    for (const part of [comparison, lists, page] as List<Countermeasure>[]) {
      expect(part.results.length).toBeGreaterThan(1);
      expect(part.results.length).toBeLessThan(results.length);
    }

    expect(created).toMatchObject({ title: 'Message broker', description: '', hidden: true, icon_slug: 'mui-hub' });
    const { id } = created as Component;
    expect(changed).toMatchObject({ title: 'Message broker', description: 'Passes **messages**.' });
    // Responses to writes have the questions, too.
    const query = { include: 'component_questions' };
    expect(await bodyOf(api.get(`/library/components/${id}/`, query))).toMatchObject(changed as object);
  });
});
