import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runAdmin } from '#test/support/admin.js';
import { useTestApi } from '#test/support/api.js';

const test = useTestApi();
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'merlon-admin-'))));
afterAll(() => rm(folder, { recursive: true }));

describe('The command "import"', () => {
  it('prints each error of a file on a separate line', async () => {
    const file = path.join(folder, 'phase.json');
    await writeFile(
      file,
      JSON.stringify({
        model: 'phase',
        rows: [
          { name: '', ordinal: 9 },
          { name: 'Ours', ordinal: -1 },
        ],
      }),
    );
    const settings = { DATABASE_URL: test.database.url, SECRET_KEY: 'k'.repeat(40) };
    const words = ['import', file, '--model', 'phase', '--organization', String(test.organization.id)];
    const { code, error } = await runAdmin(settings, ...words);
    expect([code, error.trimEnd().split('\n')]).toEqual([
      1,
      [expect.stringMatching(/^phase\.json, row 1, name: /), expect.stringMatching(/^phase\.json, row 2, ordinal: /)],
    ]);
  });
});
