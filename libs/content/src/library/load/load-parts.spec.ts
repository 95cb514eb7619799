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

interface Part {
  id: string;
  title: string;
  slug: string;
  type: string;
  ordinal: number;
  active: boolean;
  match_conditions: { required: string[]; excluded: string[] }[];
}

/** The parts of a countermeasure, with match conditions. */
const within = (task: string, kind: 'amendments' | 'implementations'): Promise<Part[]> =>
  rowsOf(test.api.get<List<Part>>(`/library/tasks/${task}/${kind}/?include=match_conditions`));

/** Loads a release in which one file is another one; returns how many rows of each table it touched. */
const release = async (file: string, change: (text: string) => string): Promise<Record<string, number>> => {
  const where = path.join(folder, file);
  await writeFile(where, change(await readFile(where, 'utf8')));
  return (await loadRelease(test.database, folder)).changed;
};

describe('Built-in parts of countermeasures', () => {
  it('are returned as built-in content, with additional requirements in file order', async () => {
    const [first, second] = await within('T1', 'amendments');
    expect(first).toMatchObject({
      id: 'TA7',
      type: 'Built-in',
      ordinal: 1,
      active: true,
      match_conditions: [{ required: ['A14', 'A17'], excluded: [] }],
    });
    expect(second).toMatchObject({ id: 'TA8', ordinal: 2 });
    expect((await within('T5', 'implementations'))[0]).toMatchObject({
      id: 'I1',
      type: 'Built-in',
      slug: 'argon2id-through-spring-security-s-delegating-encoder',
      match_conditions: [{ required: ['A94'], excluded: [] }],
    });
  });

  it('change with a release, except for their slug, unless they are customized', async () => {
    const other = await test.newOrganization();
    const at = '/library/tasks/T5/implementations/I1/';
    await bodyOf(other.api.patch(at, { title: 'Ours' }));
    const changed = await release('how-tos/java-spring.yaml', (text) => text.replace(/title: .*/, 'title: Argon2id'));
    expect(changed).toEqual({ how_to_version: 1, match_condition: 1 });
    expect(await bodyOf(test.api.get<Part>(at))).toMatchObject({
      title: 'Argon2id',
      slug: 'argon2id-through-spring-security-s-delegating-encoder',
    });
    expect(await bodyOf(other.api.get<Part>(at))).toMatchObject({ title: 'Ours' });
  });

  it('become inactive when a release drops them, and the next ones move up', async () => {
    const changed = await release('additional-requirements/authentication.yaml', (text) =>
      text.slice(text.indexOf('- id: TA8')),
    );
    expect(changed).toEqual({ additional_requirement_version: 2, match_condition: 1 });
    const found = await within('T1', 'amendments');
    expect(Object.fromEntries(found.map(({ id, active, ordinal }) => [id, { active, ordinal }]))).toMatchObject({
      TA7: { active: false },
      TA8: { active: true, ordinal: 1 },
    });
  });
});
