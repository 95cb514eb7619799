import { open, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { useBackupFolder } from '#test/support/backups/filled-backup.js';
import { BackupFile } from './backup-file.js';
import {
  type BackupHeader,
  CHECKSUMS_FILE,
  digestOf,
  filePiece,
  HEADER_FILE,
  SEAL_FILE,
  sealOf,
  tablePiece,
} from './backup-format.js';

const never = new AbortController().signal;

const HEADER: BackupHeader = {
  format_version: 1,
  product: 'Merlon',
  version: '0.1.0',
  created: '2026-01-01T00:00:00Z',
  migrations: [],
  tables: [],
  sequences: {},
};

type EntryHeader = Partial<Header> & Pick<Header, 'name'>;

type Entry = readonly [header: EntryHeader, content?: Buffer];

/** An archive with these entries, whose checksums and seal are correct. */
async function sealed(
  entries: readonly Entry[],
  header: unknown = HEADER,
  checksums: Readonly<Record<string, unknown>> = {},
): Promise<Buffer> {
  const all: Entry[] = [[{ name: HEADER_FILE }, Buffer.from(JSON.stringify(header))], ...entries];
  const list = all.map(([{ name }, content = Buffer.alloc(0)]) => ({
    name,
    bytes: content.length,
    sha256: digestOf(content),
  }));
  const listed = Buffer.from(JSON.stringify({ entries: list, rows: {}, missing_files: [], ...checksums }));
  const archive = pack();
  for (const [headers, content] of [
    ...all,
    [{ name: CHECKSUMS_FILE }, listed] as const,
    [{ name: SEAL_FILE }, sealOf(listed)] as const,
  ])
    archive.entry({ mtime: new Date(0), ...headers }, content ?? Buffer.alloc(0));
  archive.finalize();
  return buffer(archive);
}

describe('A backup that was written to do harm', () => {
  const { fresh } = useBackupFolder();

  const opening = async (content: Buffer): Promise<BackupFile> => {
    const file = fresh('hostile.tar');
    await writeFile(file, content);
    return BackupFile.open(file, never);
  };

  it('is opened if it is only unusual', async () => {
    await (await opening(await sealed([[{ name: filePiece('imports/1/a', 1) }, Buffer.from('a')]]))).close();
  });

  it.each<[EntryHeader, Buffer]>([
    [{ name: 'files/../../outside/00000001' }, Buffer.from('a')],
    [{ name: 'files//etc/passwd/00000001' }, Buffer.from('a')],
    [{ name: 'files/imports/../../../a/00000001' }, Buffer.from('a')],
    [{ name: '../outside' }, Buffer.from('a')],
    [{ name: '/etc/passwd' }, Buffer.from('a')],
    [{ name: 'tables/cwe/1.jsonl.gz' }, Buffer.from('a')],
  ])(
    'is rejected with a path that leads out of the storage, or that backups do not contain: %j',
    async (header, content) => {
      await expect(opening(await sealed([[header, content]]))).rejects.toThrow(/which is not a file of a backup/);
    },
  );

  it.each<[string, EntryHeader]>([
    ['a symbolic link', { name: 'files/exports/a/00000001', type: 'symlink', linkname: '/etc/passwd' }],
    ['a hard link', { name: 'files/exports/a/00000001', type: 'link', linkname: 'backup.json' }],
    ['a folder', { name: 'files/exports', type: 'directory' }],
    ['a device', { name: 'files/exports/a/00000001', type: 'character-device' }],
    ['an extension header', { name: `files/${'a'.repeat(300)}/00000001` }],
  ])('is rejected with %s', async (_kind, headers) => {
    await expect(opening(await sealed([[headers]]))).rejects.toThrow(/The backup is damaged|not a Merlon backup/);
  });

  it.each([
    ['a sparse file', 'S', 4096],
    ['a long name', 'L', 3 * 2 ** 30],
    ['an extension header', 'x', 3 * 2 ** 30],
    ['a global extension header', 'g', 3 * 2 ** 30],
    ['an unknown type', 'Z', 0],
    ['a file larger than any piece', '0', 6 * 2 ** 30],
  ])('is rejected with %s before its content is read: type %s of %i bytes', async (_kind, type, bytes) => {
    const whole = await sealed([[{ name: filePiece('exports/a', 1) }]]);
    const place = whole.indexOf('files/');
    whole.write(`${bytes.toString(8).padStart(11, '0')}\0`, place + 124, 'latin1');
    whole.write(type, place + 156, 'latin1');
    whole.fill(' ', place + 148, place + 156);
    const sum = whole.subarray(place, place + 512).reduce((total, byte) => total + byte, 0);
    whole.write(`${sum.toString(8).padStart(6, '0')}\0 `, place + 148, 'latin1');
    const name = fresh('sparse.tar');
    const file = await open(name, 'w');
    await file.write(whole);
    // A hole, which takes no space on the disk.
    await file.truncate(whole.length + bytes + 1024);
    await file.close();
    const before = process.memoryUsage.rss();
    await expect(BackupFile.open(name, never)).rejects.toThrow(/The backup is damaged/);
    expect(process.memoryUsage.rss() - before).toBeLessThan(512 * 2 ** 20);
  });

  it('is rejected if a table expands to more than any piece of a backup', async () => {
    const bomb = gzipSync(Buffer.alloc(300 * 2 ** 20));
    const backup = await opening(await sealed([[{ name: tablePiece('cwe', 1) }, bomb]]));
    const read = async (): Promise<void> => {
      for await (const _ of backup.rowsOf('cwe'));
    };
    await expect(read()).rejects.toThrow('"tables/cwe/00000001.jsonl.gz" cannot be decompressed');
    await backup.close();
  });

  it.each([
    { tables: [null] },
    { tables: [{ name: 'cwe', columns: [{ name: 1 }] }] },
    { migrations: [{}] },
    { sequences: { a: '1); DROP TABLE cwe' } },
    { sequences: [] },
    { version: null },
  ])('is not recognized with a header of another form: %j', async (change) => {
    await expect(opening(await sealed([], { ...HEADER, ...change }))).rejects.toThrow('is not a Merlon backup');
  });

  it.each([{ rows: undefined }, { rows: { cwe: -1 } }, { rows: { cwe: 'x' } }, { missing_files: 1 }])(
    'is rejected with counts of another form: %j',
    async (change) => {
      await expect(opening(await sealed([], HEADER, change))).rejects.toThrow('The backup is damaged');
    },
  );
});
