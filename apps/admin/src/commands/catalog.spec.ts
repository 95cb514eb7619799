import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runAdmin } from '#test/support/admin.js';
import { useTestApi } from '#test/support/api.js';

const test = useTestApi();
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'merlon-admin-'))));
afterAll(() => rm(folder, { recursive: true }));

/** Writes a file, and returns its path. */
async function fileOf(name: string, content: string | object): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const edition = (version: string, ...codes: string[]) =>
  fileOf(
    `asvs-${version}.csv`,
    [
      'chapter_id,chapter_name,section_id,section_name,req_id,req_description,L',
      ...codes.map((code) => `V1,Boxes,V1.1,Lids,${code},Verify box ${code} of ${version}.,1`),
    ].join('\n'),
  );

const importCatalog = (kind: string, file: string, ...words: string[]) => {
  const settings = { DATABASE_URL: test.database.url, SECRET_KEY: 'k'.repeat(40) };
  return runAdmin(
    settings,
    'library',
    'import-catalog',
    kind,
    file,
    '--organization',
    String(test.organization.id),
    ...words,
  );
};

const regulations = async (): Promise<unknown[]> => {
  const { body } = await test.api.get<{ results: { id: string; version: string }[] }>('/library/regulations/', {
    search: 'ASVS',
  });
  return body.results.filter(({ id }) => id.startsWith('C')).map(({ id, version }) => `${id} ${version}`);
};

describe('The command "library import-catalog"', () => {
  it('shows the difference with --dry-run, and applies it without', async () => {
    const file = await edition('4.0.3', 'V1.1.1');
    const dryRun = await importCatalog('asvs', file, '--dry-run');
    expect(dryRun).toMatchObject({
      code: 0,
      result: {
        applied: false,
        regulation: null,
        created: 3,
        changes: [
          { id: 'V1' },
          { id: 'V1.1' },
          { id: 'V1.1.1', action: 'created', title: 'Verify box V1.1.1 of 4.0.3.' },
        ],
      },
    });
    expect(await regulations()).toEqual([]);
    const { result } = await importCatalog('asvs', file);
    expect(result).toMatchObject({ applied: true, regulation: 'CREG1', created: 3 });
    expect(result).not.toHaveProperty('changes');
    expect(await regulations()).toEqual(['CREG1 4.0.3']);
  });

  it('takes over the mappings of another edition with a table of its sections', async () => {
    await test.database.query(
      `INSERT INTO regulation_section_countermeasure SELECT s.id, c.id FROM regulation_section s, countermeasure c
       WHERE s.organization_id = $1 AND s.code IN ('V1.1', 'V1.1.1') AND c.item_id = 'T1'`,
      [test.organization.id],
    );
    const file = await edition('5.0.0', 'V1.1.1', 'V1.1.2');
    const table = await fileOf('table.csv', 'old,new\nV1.1.1,V1.1.2\n');
    const { result } = await importCatalog('asvs', file, '--mappings-from', 'CREG1', '--mappings-table', table);
    expect(result).toMatchObject({
      regulation: 'CREG2',
      mappings: {
        from: 'CREG1',
        carried: 1,
        left: [{ section: 'V1.1', countermeasure: 'T1', reason: 'No section of the new edition takes its place.' }],
      },
    });
    const { body } = await test.api.get('/library/regulations/CREG2/coverage/', { covered: 'true' });
    expect(body).toMatchObject({ results: [{ code: 'V1.1.2', countermeasures: ['T1'] }] });
    expect(await regulations()).toEqual(['CREG1 4.0.3', 'CREG2 5.0.0']);
  });

  it('reports errors in its options and files in one line', async () => {
    const file = await edition('6.0', 'V1.1.1');
    const broken = await fileOf('broken.yml', 'a: [');
    const profile = await fileOf('profile.json', { profile: { metadata: {}, imports: [] } });
    const before = await regulations();
    for (const [words, message] of [
      [['asvs', file, '--mappings-from', 'CREG99'], 'mappings-from: "CREG99" does not exist.'],
      [['asvs', file, '--mappings-table', file], '--mappings-table requires --mappings-from.'],
      [
        ['asvs', file, '--mappings-from', 'CREG1', '--mappings-table', broken],
        `${broken}: The file is not valid YAML:`,
      ],
      [['oscal', profile], `${profile}: The file is an OSCAL profile, which selects controls of a catalog: `],
      [['oscal', profile, '--catalog', path.dirname(file)], `${path.dirname(file)} is a folder, not a file.`],
      [['cwe', file, '--mappings-from', 'CREG1'], '--mappings-from is only for regulations: asvs, oscal.'],
    ] as const) {
      const [kind, name, ...others] = words;
      const { code, error } = await importCatalog(kind, name, ...others);
      expect([code, error.trimEnd().split('\n')]).toEqual([1, [expect.stringContaining(message)]]);
    }
    expect(await regulations()).toEqual(before);
  });
});
