import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import type JSZip from 'jszip';
import { ormOptions } from '#orm';
import { type TestOrganization, useTestApi } from '#test/support/api.js';
import { openArchive, readExportFile, type ReadFile } from '#test/support/archives.js';
import { answerIds, countermeasureBody, makeCountermeasure, seedCountermeasures } from '#test/support/factories.js';
import type { Countermeasure } from '#test/support/resources.js';
import { lockTable } from '#test/support/table-locks.js';
import { describe as describeModel, MODELS } from '../models/models.js';
import { CONTENT_MODELS, type FileFormat, FILE_FORMATS } from '#domain/exchange/job/content-models.js';
import type { ExportRequest } from './export-size.js';
import { exportLibrary, type ExportProgress } from './export-library.js';
import type { Manifest } from './manifest.js';

const test = useTestApi();
let orm: MikroORM;
beforeAll(async () => {
  orm = await MikroORM.init(ormOptions({ url: test.database.url, poolSize: 4, timeZone: 'UTC' }));
});
afterAll(() => orm.close(true));

const never = new AbortController().signal;

function start(
  organization: TestOrganization,
  request: Partial<ExportRequest>,
  signal = never,
  seen: ExportProgress[] = [],
) {
  return exportLibrary(
    orm.em,
    { organizationId: organization.id, type: 'content', fileFormat: 'json', contentModels: ['standard'], ...request },
    { signal, progress: (progress) => seen.push(progress) },
  );
}

async function exported(organization: TestOrganization, request: Partial<ExportRequest>): Promise<JSZip> {
  return openArchive(await buffer(await start(organization, request)));
}

async function manifestOf(archive: JSZip): Promise<Manifest> {
  return JSON.parse((await archive.file('manifest.json')?.async('string')) ?? '');
}

const rowsById = ({ rows }: ReadFile): Map<unknown, Readonly<Record<string, unknown>>> =>
  new Map(rows.map((row) => [row['id'], row]));

/** Other connections that are in a snapshot, busy or not; the database's own work is none. */
async function transactions(): Promise<number> {
  const [row] = await test.database.query<{ n: string }>(
    `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND backend_type = 'client backend'
       AND (backend_xmin IS NOT NULL OR state LIKE 'idle in transaction%') AND query NOT LIKE '%LOCK TABLE%'`,
  );
  return Number(row?.n);
}

/** Transactions that are still there when they have had time to end. */
async function leftOpen(): Promise<number> {
  for (let tries = 0; tries < 40 && (await transactions()) > 0; tries += 1) await wait(50);
  return transactions();
}

const AWKWARD = {
  quotes: 'She said "no", twice; \'so\' be it.',
  lines: 'one\ntwo\r\nthree\rfour\n\n  five\n',
  'a formula': '=1+1',
  'an escaped formula': "'=1",
  plus: '+49 30 1234',
  minus: '-1',
  at: '@SUM(A1)',
  'a tab': '\tindented',
  'a carriage return': '\rback',
  'an emoji': '👩‍🔧 fixes 🔒',
  'right to left': 'שלום — مرحبا',
  'leading zeros': '007',
  'a word of another type': 'true',
  nothing: 'null',
  'a date': '2026-03-04',
  markup: '<b>&amp;</b> ]]> _x0041_',
  'control characters': 'a\u0001b\u001fc\u007fd\u0085e\u2028f\ufefeg\uffffh',
  'what YAML means something by': '- *a\n- &b: !c |\n# d\n---\n...\n"e": \'f\'',
  blanks: '  both ends  ',
  'a line of blanks': 'a\n   \nb\n\n',
  'a long text': `${'0123456789'.repeat(9_999)}end of it!`,
  'a long text of emoji': '🔒'.repeat(60_000),
};

describe.each(FILE_FORMATS)('An export in %s', (fileFormat: FileFormat) => {
  const ids = new Map<string, string>();
  let organization: TestOrganization;
  let file: ReadFile;

  beforeAll(async () => {
    organization = await test.newOrganization();
    for (const [name, text] of Object.entries(AWKWARD)) {
      const body = countermeasureBody({ text, tags: [`tag "${name}"`, 'a,b'], active: name !== 'plus' });
      ids.set(name, (await makeCountermeasure(organization.api, body)).id);
    }
    file = await readExportFile(await exported(organization, { fileFormat }), `standard.${fileFormat}`);
  });

  const textOf = (row: Readonly<Record<string, unknown>>): string => {
    const text = Array.from({ length: 9 }, (_, n) => row[n === 0 ? 'text' : `text__${n + 1}`] as string | null).join(
      '',
    );
    return fileFormat === 'csv' && text.startsWith("'") ? text.slice(1) : text;
  };

  it.each(Object.keys(AWKWARD))('preserves %s', (name) => {
    const row = rowsById(file).get(ids.get(name));
    expect(row && textOf(row)).toBe(AWKWARD[name as keyof typeof AWKWARD]);
  });

  it('contains every item with the values of the API, including lists and objects', async () => {
    const answer = await organization.api.get<{ results: Countermeasure[] }>('/library/tasks/', {
      include: 'match_conditions,tags,categories,verification_coverage',
    });
    const flat = fileFormat === 'csv' || fileFormat === 'xlsx';
    const asWritten = (value: unknown): unknown => {
      if (typeof value === 'object') return flat ? JSON.stringify(value) : value;
      return fileFormat === 'csv' && typeof value !== 'string' ? JSON.stringify(value) : value;
    };
    const rows = rowsById(file);
    expect(rows.size).toBe(answer.body.results.length);
    // The text has been looked at above.
    for (const { text: _, match_conditions: conditions, ...item } of answer.body.results) {
      const row = rows.get(item.id);
      expect(row).toMatchObject(
        Object.fromEntries(Object.entries(item).map(([name, value]) => [name, asWritten(value)])),
      );
      // A file also holds what conditions say in the other mode.
      const written: unknown = row?.['match_conditions'];
      expect(flat ? JSON.parse(String(written)) : written).toMatchObject(conditions ?? []);
    }
  });

  it('has the columns of the model description in order, starting with id', () => {
    const names = describeModel('standard').columns.map(({ name }) => name);
    expect(file.columns.filter((name) => !/__\d+$/.test(name))).toEqual(names);
    expect(names[0]).toBe('id');
  });

  it('contains the rows in id order, including inactive ones', () => {
    const seen = file.rows.map((row) => String(row['id']));
    const custom = seen.filter((id) => id.startsWith('C'));
    expect(seen.slice(-custom.length)).toEqual(custom);
    for (const list of [custom, seen.slice(0, -custom.length)]) {
      const numbers = list.map((id) => Number(/\d+/.exec(id)));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
    expect(seen).toContain(ids.get('plus'));
  });

  it('is identical, byte by byte, unless the library changes', async () => {
    const contentModels = ['standard', 'weakness', 'answer'] as const;
    const [one, two] = [
      await manifestOf(await exported(organization, { fileFormat, contentModels })),
      await manifestOf(await exported(organization, { fileFormat, contentModels })),
    ];
    expect(one.content_models).toEqual(two.content_models);
  });

  it('contains columns but no rows as a template, for every model', async () => {
    const archive = await exported(organization, { fileFormat, type: 'template', contentModels: CONTENT_MODELS });
    for (const { name, columns } of MODELS) {
      const template = await readExportFile(archive, `${name}.${fileFormat}`);
      expect(template.rows).toEqual([]);
      expect(template.columns.filter((column) => !column.includes('__'))).toEqual(columns.map((column) => column.name));
    }
  });

  it('can contain all models together', async () => {
    const archive = await exported(organization, { fileFormat, contentModels: CONTENT_MODELS });
    const { content_models: entries } = await manifestOf(archive);
    for (const { file: name, rows } of entries) expect((await readExportFile(archive, name)).rows).toHaveLength(rows);
  });
});

it('a spreadsheet has a frozen header row, and four columns for long texts', async () => {
  const archive = await exported(test.organization, { fileFormat: 'xlsx', type: 'template' });
  const file = await readExportFile(archive, 'standard.xlsx');
  expect(file).toMatchObject({ sheet: expect.stringContaining('<pane ySplit="1" topLeftCell="A2" state="frozen"') });
  expect(file.columns.filter((name) => name.startsWith('text'))).toEqual(['text', 'text__2', 'text__3', 'text__4']);
});

it('a list longer than a spreadsheet cell continues in further cells', async () => {
  const organization = await test.newOrganization();
  const tags = Array.from({ length: 500 }, (_, n) => `${n} ${'x'.repeat(90)}`);
  const { id } = await makeCountermeasure(organization.api, { tags });
  const file = await readExportFile(await exported(organization, { fileFormat: 'xlsx' }), 'standard.xlsx');
  const row = rowsById(file).get(id);
  expect(JSON.parse(`${String(row?.['tags'])}${String(row?.['tags__2'])}`)).toEqual(tags);
});

it('the manifest comes last and lists each file with its row count and checksum', async () => {
  const contentModels = ['weakness', 'standard', 'threat'] as const;
  const archive = await exported(test.organization, { fileFormat: 'csv', contentModels });
  expect(Object.keys(archive.files)).toEqual(['weakness.csv', 'standard.csv', 'threat.csv', 'manifest.json']);
  const manifest = await manifestOf(archive);
  expect(manifest).toEqual({
    format_version: 1,
    product: 'Merlon',
    type: 'content',
    file_format: 'csv',
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
    content_models: contentModels.map((model) => expect.objectContaining({ model, file: `${model}.csv` })),
  });
  for (const { file, rows, sha256 } of manifest.content_models) {
    const content = (await archive.file(file)?.async('nodebuffer')) ?? Buffer.alloc(0);
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
    expect((await readExportFile(archive, file)).rows).toHaveLength(rows);
  }
});

it('an export contains only the custom and customized items of its own organization', async () => {
  const [own, other] = [await test.newOrganization(), await test.newOrganization()];
  await own.api.patch('/library/tasks/T1/', { title: 'Our own title' });
  const { id } = await makeCountermeasure(other.api, { title: 'Their secret' });
  const [requirement] = await answerIds(own.api, 1);
  await own.api.patch('/library/tasks/T2/', { match_conditions: [{ required: [requirement], excluded: [] }] });
  const rows = rowsById(await readExportFile(await exported(own, {}), 'standard.json'));
  expect(rows.get('T1')).toMatchObject({ title: 'Our own title', type: 'Built-in Modified' });
  expect(rows.get('T2')).toMatchObject({ match_conditions: [{ required: [requirement], excluded: [] }] });
  expect(rows.has(id)).toBe(false);
  const theirs = rowsById(await readExportFile(await exported(other, {}), 'standard.json'));
  expect(theirs.get('T1')).toMatchObject({ type: 'Built-in' });
});

it('additional requirements and how-tos contain the id of their countermeasure, which lists their ids', async () => {
  const organization = await test.newOrganization();
  const { id } = await makeCountermeasure(organization.api);
  const requirement = await organization.api.post<{ id: string }>(`/library/tasks/${id}/amendments/`, {
    title: 'a',
    text: 'b',
  });
  const howTo = await organization.api.post<{ id: string }>(`/library/tasks/${id}/implementations/`, {
    title: 'c',
    text: 'd',
  });
  const archive = await exported(organization, { contentModels: ['standard', 'amendment', 'implementation'] });
  const rows = async (name: string) => rowsById(await readExportFile(archive, `${name}.json`));
  expect((await rows('standard')).get(id)).toMatchObject({
    amendments: [requirement.body.id],
    how_tos: [howTo.body.id],
  });
  expect((await rows('amendment')).get(requirement.body.id)).toMatchObject({ task: id, title: 'a' });
  expect((await rows('implementation')).get(howTo.body.id)).toMatchObject({ task: id, title: 'c' });
});

it('an export is a consistent snapshot, regardless of concurrent writes', async () => {
  const organization = await test.newOrganization();
  await seedCountermeasures(test, organization, 2000);
  const seen: ExportProgress[] = [];
  const stream = await start(organization, { contentModels: ['standard', 'weakness', 'phase'] }, never, seen);
  await makeCountermeasure(organization.api, { title: 'Too late' });
  await organization.api.patch('/library/problems/P1/', { title: 'Too late too' });
  const archive = await openArchive(await buffer(stream));
  const { rows } = await readExportFile(archive, 'standard.json');
  expect(rows.some(({ title }) => title === 'Too late')).toBe(false);
  expect(rowsById(await readExportFile(archive, 'weakness.json')).get('P1')).toMatchObject({ type: 'Built-in' });
  const [first] = seen;
  const total = (await manifestOf(archive)).content_models.reduce((sum, entry) => sum + entry.rows, 0);
  expect(first).toEqual({ done: 0, total });
  expect(seen.at(-1)).toEqual({ done: total, total });
  expect(seen.length).toBeGreaterThan(5);
  expect(await leftOpen()).toBe(0);
});

describe('Aborting an export', () => {
  it('fails with the reason and ends the transaction, even if nothing was read', async () => {
    const stop = new AbortController();
    const reason = new Error('Cancelled.');
    const unread = await start(test.organization, {}, stop.signal);
    const failed = new Promise((resolve) => unread.once('error', resolve));
    stop.abort(reason);
    expect(await failed).toBe(reason);
    expect(await leftOpen()).toBe(0);
    await expect(start(test.organization, {}, stop.signal)).rejects.toBe(reason);
    expect(await leftOpen()).toBe(0);
  });

  it('ends the transaction when the reader stops reading', async () => {
    const organization = await test.newOrganization();
    await seedCountermeasures(test, organization, 2000);
    const stream = await start(organization, { fileFormat: 'xlsx' });
    for await (const chunk of stream) if (chunk) break;
    expect(await leftOpen()).toBe(0);
  });

  it('takes effect at once even while the database is blocked', async () => {
    // The statement of the export waits for this lock as it would for a slow disk.
    const lock = await lockTable(test.database.url, 'regulation', 'ACCESS EXCLUSIVE');
    const stop = new AbortController();
    const reading = buffer(await start(test.organization, { contentModels: ['regulation'] }, stop.signal));
    await Promise.race([reading.catch(() => undefined), wait(300)]);
    expect(await transactions()).toBe(1);
    const cancelledAt = Date.now();
    stop.abort(new Error('Cancelled.'));
    await expect(reading).rejects.toThrow('Cancelled.');
    expect(Date.now() - cancelledAt).toBeLessThan(5000);
    expect(await leftOpen()).toBe(0);
    await lock.release();
  });
});
