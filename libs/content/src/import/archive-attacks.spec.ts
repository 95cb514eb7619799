import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import JSZip from 'jszip';
import { archiveOf } from '#test/support/imports.js';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import { zip } from '#files/archives/zip.js';
import { Items } from './difference/items.js';
import { readRows } from './difference/read-rows.js';
import { rejections, signal, MAX_MILLISECONDS, withinLimits } from '#test/support/import-attacks.js';

const MANIFEST = {
  format_version: 1,
  product: 'Merlon',
  type: 'content',
  file_format: 'json',
  content_models: [{ model: 'standard', file: 'standard.json' }],
};

const ROWS = JSON.stringify({ model: 'standard', rows: [] });

const zipped = (entries: readonly [name: string, content: Buffer | string][]): Promise<Buffer> =>
  buffer(
    Readable.from(
      zip(
        entries.map(([name, content]) => ({ name, content: [Buffer.from(content)], compression: 9 })),
        new Date(0),
      ),
    ),
  );

const withEntry = (name: string, content: Buffer | string = 'x'): Promise<Buffer> =>
  zipped([
    ['standard.json', ROWS],
    ['manifest.json', JSON.stringify(MANIFEST)],
    [name, content],
  ]);

it('reads a valid archive', async () => {
  expect(await rejections(await archiveOf({ 'standard.json': ROWS }))).toBe('');
});

describe('An imported archive', () => {
  it.each(['../outside', '/etc/passwd', 'C:/windows/x', 'a/../../x', '..\\x', 'a\\b'])(
    'is rejected with an entry outside the archive: %s',
    async (name) => {
      expect(await rejections(await withEntry(name))).toMatch(/relative path|absolute path|invalid characters/);
    },
  );

  it('is rejected with a symbolic link', async () => {
    const archive = new JSZip();
    archive.file('manifest.json', JSON.stringify(MANIFEST));
    archive.file('standard.json', '/etc/passwd', { unixPermissions: 0o120777 });
    expect(await rejections(await archive.generateAsync({ type: 'nodebuffer', platform: 'UNIX' }))).toContain(
      'symbolic link',
    );
  });

  it('is rejected with a duplicate name', async () => {
    // No library writes one: the name is changed in what it has written.
    const archive = (await withEntry('standard.jsoN', ROWS)).toString('latin1').replaceAll('.jsoN', '.json');
    expect(await rejections(Buffer.from(archive, 'latin1'))).toContain('twice');
  });

  it('is rejected with 10,000 entries', async () => {
    // With the manifest, which is one more.
    const files = Object.fromEntries(Array.from({ length: 9999 }, (_, n) => [`${n}.json`, '']));
    expect(await rejections(await archiveOf(files))).toContain('10000 entries');
  });

  it(
    'is rejected if it expands a thousandfold',
    async () => {
      const bomb = Buffer.alloc(64 * 2 ** 20, 'x');
      const archive = await zipped([
        ['manifest.json', JSON.stringify(MANIFEST)],
        ['standard.json', bomb],
      ]);
      expect(await withinLimits(() => rejections(archive))).toContain('compressed more than');
    },
    2 * MAX_MILLISECONDS,
  );

  it.each([
    ['smaller', -10],
    ['larger', 10],
  ])('is rejected if an entry claims to be %s than it is', async (_, by) => {
    const archive = await archiveOf({ 'standard.json': ROWS });
    const directory = archive.indexOf(Buffer.from('504b0102', 'hex'));
    archive.writeUInt32LE(archive.readUInt32LE(directory + 24) + by, directory + 24);
    expect(await rejections(archive)).toContain('cannot be unpacked');
  });

  it('is rejected with an archive inside', async () => {
    expect(await rejections(await withEntry('inner.zip', await zipped([['a', 'b']])))).toContain('is not listed in');
  });

  it('is rejected with a damaged entry', async () => {
    const archive = await archiveOf({ 'standard.json': JSON.stringify({ rows: [{ title: 'x'.repeat(500) }] }) });
    archive.fill(0xff, 60, 80);
    expect(await rejections(archive)).not.toBe('');
  });

  it('is rejected if it is truncated, empty or not an archive', async () => {
    const archive = await archiveOf({ 'standard.json': ROWS });
    for (const content of [archive.subarray(0, archive.length - 30), Buffer.alloc(0), Buffer.from('x'.repeat(100))])
      expect(await rejections(content)).toContain('not a readable ZIP archive');
  });

  it.each([
    ['has no manifest', { 'standard.json': ROWS }],
    ['has a manifest that is not JSON', { 'manifest.json': '{' }],
    ['has a list as its manifest', { 'manifest.json': '[]' }],
    ['has a later format', { 'manifest.json': JSON.stringify({ ...MANIFEST, format_version: 2 }) }],
    ['has an unknown type', { 'manifest.json': JSON.stringify({ ...MANIFEST, type: 'x' }) }],
    ['contains no models', { 'manifest.json': JSON.stringify({ ...MANIFEST, content_models: [] }) }],
    [
      'contains an unknown model',
      { 'manifest.json': JSON.stringify({ ...MANIFEST, content_models: [{ model: 'x' }] }) },
    ],
    [
      'contains a model twice',
      {
        'manifest.json': JSON.stringify({
          ...MANIFEST,
          content_models: [{ model: 'standard' }, { model: 'standard' }],
        }),
      },
    ],
    ['lacks a listed file', { 'manifest.json': JSON.stringify(MANIFEST) }],
    [
      'lists a file outside the archive',
      { 'manifest.json': JSON.stringify({ ...MANIFEST, content_models: [{ model: 'standard', file: '../a' }] }) },
    ],
  ])('is rejected if it %s', async (_, files) => {
    expect(await rejections(await zipped(Object.entries(files)))).not.toBe('');
  });

  it('is rejected with advice if it is a workbook, which is a ZIP archive, too', async () => {
    expect(await rejections(await zipped([['xl/workbook.xml', '<workbook/>']]))).toContain('send its name as "model"');
  });

  it('is rejected if a checksum or row count does not match the file', async () => {
    const entry = { model: 'standard', file: 'standard.json' };
    for (const promised of [{ sha256: 'a'.repeat(64) }, { rows: 3 }]) {
      const manifest = { content_models: [{ ...entry, ...promised }] };
      expect(await rejections(await archiveOf({ 'standard.json': ROWS }, manifest))).toContain(
        'does not match manifest.json',
      );
    }
  });
});

describe('More than a million rows', () => {
  it('in several files are rejected as soon as the limit is reached', async () => {
    const rows = Buffer.from('title\r\n' + 'x\r\n'.repeat(200_000));
    // As files give them.
    async function* content() {
      for (let at = 0; at < rows.length; at += 65_536) yield rows.subarray(at, at + 65_536);
    }
    const files = Array.from(
      { length: 6 },
      (_, n) => ({ name: `${n}.csv`, model: 'standard', format: 'csv', content, finish: () => undefined }) as const,
    );
    const errors: string[] = [];
    let read = 0;
    await withinLimits(async () => {
      const items = new Items({} as EntityManager, {} as Actor);
      for await (const batch of readRows(files, items, ({ details }) => errors.push(details), signal))
        read += batch.length;
    });
    expect(read).toBe(1_000_000);
    expect(errors).toEqual(['The import has more than 1000000 rows. Split it.']);
  });
});
