import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { useTestApi } from '#test/support/api.js';
import { loadRelease } from '#test/support/release.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import type { List } from '#test/support/resources.js';
import { defaultLibraryFolder } from '../schema/library-files.js';

const test = useTestApi();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'library-'));
  await cp(defaultLibraryFolder(), folder, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

/** Loads a release in which one file is another one; returns how many rows of each table it touched. */
const release = async (file: string, change: (text: string) => string): Promise<Record<string, number>> => {
  const where = path.join(folder, file);
  await writeFile(where, change(await readFile(where, 'utf8')));
  return (await loadRelease(test.database, folder)).changed;
};

describe('A new release', () => {
  it('can make another profile the default and drop the previous one', async () => {
    const drop = (text: string): string =>
      text.slice(text.indexOf('- id: P2')).replace('default: false', 'default: true');
    expect(await release('profiles.yaml', drop)).toEqual({ profile: 2 });
    const profiles = await rowsOf(test.api.get<List<{ id: string; default: boolean; active: boolean }>>('/profiles/'));
    expect(profiles.filter((profile) => profile.default).map(({ id }) => id)).toEqual(['P2']);
    expect(profiles.filter(({ active }) => !active).map(({ id }) => id)).toEqual(['P1']);
  });

  it('updates workflow prompts that the organization has not changed, and deactivates dropped ones', async () => {
    const other = await test.newOrganization();
    const prompt = '/library/workflow-prompts/2/';
    const ours = await bodyOf(test.api.patch(prompt, { title: 'Ours' }));
    const changed = await release('workflow-prompts.yaml', (text) =>
      text.slice(text.indexOf('- id: 2')).replace('Find contradictions', 'Look for contradictions'),
    );
    expect(changed).toEqual({ workflow_prompt: 2, workflow_prompt_context: 1 });
    expect(await bodyOf(test.api.get(prompt))).toEqual(ours);
    expect(await bodyOf(other.api.get(prompt))).toMatchObject({
      title: 'Look for contradictions in a completed survey',
    });
    expect(await bodyOf(other.api.get('/library/workflow-prompts/1/'))).toMatchObject({ id: 1, active: false });
  });

  it('is rejected as a whole if there is no default profile', async () => {
    await expect(release('profiles.yaml', (text) => text.replace('default: true', 'default: false'))).rejects.toThrow(
      'exactly one is required',
    );
  });
});
