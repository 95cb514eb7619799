import { randomBytes } from 'node:crypto';
import { open, readFile, truncate, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { restore, tablesIn } from '#test/support/backups/backups.js';
import { type FilledBackup, makeFilledBackup, SLOW, useBackupFolder } from '#test/support/backups/filled-backup.js';
import { readTar, writeTar } from '#files/archives/tar.js';
import { BackupFile } from './backup-file.js';
import type { BackupHeader } from './backup-format.js';
import { CHECKSUMS_FILE, digestOf, HEADER_FILE, SEAL_FILE, sealOf, tablePiece, writeJson } from './backup-format.js';

const never = new AbortController().signal;

/** An archive of these files. */
function archived(...files: readonly (readonly [name: string, content: Buffer])[]): Promise<Buffer> {
  async function* all() {
    for (const [name, content] of files) yield { name, content };
  }
  return buffer(writeTar(all(), new Date()));
}

describe('Reading an invalid backup', () => {
  const folder = useBackupFolder();
  const { fresh, anEmptyDatabase } = folder;
  let filled: FilledBackup;
  beforeAll(async () => void (filled = await makeFilledBackup(folder)), SLOW);
  afterAll(() => filled.test.close());

  /** What opening a file fails with. */
  const rejection = async (file: string): Promise<string> => {
    const opened = await BackupFile.open(file, never).catch((error: unknown) => error);
    if (opened instanceof BackupFile) {
      await opened.close();
      return 'opened';
    }
    return opened instanceof Error ? `${opened.name}: ${opened.message}` : 'no error';
  };

  /** Writes the backup once more, with entries changed and with checksums of their own. */
  const forge = async (change: (entries: Map<string, Buffer>, header: BackupHeader) => void): Promise<string> => {
    const file = await open(filled.file, 'r');
    const entries = new Map<string, Buffer>();
    for await (const { name, content } of readTar(file)) entries.set(name, content);
    await file.close();
    const checksums = JSON.parse(String(entries.get(CHECKSUMS_FILE))) as { rows: Record<string, number> };
    for (const name of [CHECKSUMS_FILE, SEAL_FILE]) entries.delete(name);
    const header = JSON.parse(String(entries.get(HEADER_FILE))) as BackupHeader;
    change(entries, header);
    const list = [...entries].map(([name, content]) => ({ name, bytes: content.length, sha256: digestOf(content) }));
    const listed = writeJson({ entries: list, rows: checksums.rows, missing_files: [] });
    const parts = [...entries, [CHECKSUMS_FILE, listed] as const, [SEAL_FILE, sealOf(listed)] as const];
    const forged = fresh('forged.tar');
    await writeFile(forged, await archived(...parts));
    return forged;
  };

  it('rejects a file that is truncated at any point or has trailing bytes', async () => {
    const whole = await readFile(filled.file);
    const lengths = [
      0,
      1,
      511,
      512,
      700,
      whole.length - 1,
      whole.length - 512,
      whole.length - 1024,
      whole.length - 1536,
    ];
    for (let n = 0; n < 40; n += 1) lengths.push(Math.floor((whole.length * n) / 40));
    const cut = fresh('cut.tar');
    for (const length of lengths) {
      await writeFile(cut, whole);
      await truncate(cut, length);
      expect(await rejection(cut)).toMatch(/^BackupFailure: (The backup is damaged|The file is not a Merlon backup)/);
    }
    await writeFile(cut, Buffer.concat([whole, Buffer.from('more')]));
    expect(await rejection(cut)).toMatch(/^BackupFailure: The backup is damaged/);
  });

  it(
    'rejects a file with a changed byte at any position',
    async () => {
      const whole = await readFile(filled.file);
      const altered = fresh('altered.tar');
      const places = [0, 124, 150, 154, 155, 520, whole.length - 1, whole.length - 1100, whole.length - 1500];
      for (let n = 0; n < 60; n += 1) places.push(randomBytes(6).readUIntBE(0, 6) % whole.length);
      for (const place of places) {
        const bytes = Buffer.from(whole);
        bytes[place] = (bytes[place] ?? 0) ^ (1 << (place % 8));
        await writeFile(altered, bytes);
        expect([place, await rejection(altered)]).toEqual([place, expect.stringMatching(/^BackupFailure: /)]);
      }
    },
    SLOW,
  );

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['a text', Buffer.from('pg_dump '.repeat(500))],
    ['zeros', Buffer.alloc(4096)],
    ['another archive', archived(['notes.txt', Buffer.from('Hello')])],
    ['a header of something else', archived([HEADER_FILE, Buffer.from('{}')])],
  ])('does not recognize %s as a backup', async (_, content) => {
    const file = fresh('other');
    await writeFile(file, await content);
    expect(await rejection(file)).toMatch(/^BackupFailure: The file is not a Merlon backup/);
  });

  it('rejects a newer format and reports its number', async () => {
    const newer = await forge((entries, header) => {
      entries.set(HEADER_FILE, writeJson({ ...header, format_version: 2 }));
    });
    expect(await rejection(newer)).toContain(
      'This backup has format 2, but this release of Merlon supports formats up to 1.',
    );
  });

  it(
    'rejects a newer release and reports its unknown migrations',
    async () => {
      const newer = await forge((entries, header) => {
        const changed = {
          ...header,
          version: '9.9.9',
          migrations: [...header.migrations, 'Migration20991231000000_Later'],
        };
        entries.set(HEADER_FILE, writeJson(changed));
      });
      const database = await anEmptyDatabase();
      await expect(restore(newer, database, filled.settings)).rejects.toThrow(
        'was written by a newer release of Merlon (9.9.9): this release lacks the migrations Migration20991231000000_Later.',
      );
      expect(await tablesIn(database)).toBe(0);
    },
    SLOW,
  );

  it.each<[string, (entries: Map<string, Buffer>, header: BackupHeader) => void, string]>([
    [
      'missing rows that others refer to',
      (entries) => void entries.delete(tablePiece('organization', 1)),
      'does not contain the declared number of rows of organization',
    ],
    [
      'a table with other columns',
      (entries, header) =>
        void entries.set(
          HEADER_FILE,
          writeJson({
            ...header,
            tables: header.tables.map((table) => (table.name === 'cwe' ? { ...table, columns: [] } : table)),
          }),
        ),
      'These tables differ between the backup and Merlon: cwe.',
    ],
    [
      'a missing table',
      (entries, header) =>
        void entries.set(
          HEADER_FILE,
          writeJson({ ...header, tables: header.tables.filter(({ name }) => name !== 'cwe') }),
        ),
      'These tables differ between the backup and Merlon: cwe.',
    ],
  ])(
    'rejects a forged backup with %s and leaves nothing behind',
    async (_, change, message) => {
      const forged = await forge(change);
      const database = await anEmptyDatabase();
      await expect(restore(forged, database, filled.settings)).rejects.toThrow(message);
      expect(await tablesIn(database)).toBe(0);
    },
    SLOW,
  );
});
