import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, statfs, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { ListMultipartUploadsCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { eventually } from '#test/support/eventually.js';
import { type FakeBucket, startFakeBucket } from '#test/support/fake-bucket.js';
import { FileMissing, type FileStorage, StorageFailure, StorageFull } from './file-storage.js';
import { openStorage } from './open-storage.js';
import { readStorageUrl } from './storage-url.js';

const MEBIBYTE = 2 ** 20;

const hourAgo = (): Date => new Date(Date.now() - 3_600_000);
const minuteAgo = (): Date => new Date(Date.now() - 60_000);

/** A storage under test, with access to what it hides: temporary files and unfinished uploads. */
interface Tested {
  readonly storage: FileStorage;
  readonly leftovers: () => Promise<number>;
  /** Makes files old. Returns a time after theirs, and before that of files written from now on. */
  readonly age: (keys: readonly string[]) => Promise<Date>;
  readonly stop: () => Promise<void>;
}

async function folder(): Promise<Tested & { files: string }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'merlon-storage-'));
  return {
    files: path.join(dataDir, 'files'),
    storage: await openStorage({ dataDir, storageUrl: undefined }),
    leftovers: async () =>
      (await readdir(dataDir, { recursive: true })).filter((name) => name.endsWith('.part')).length,
    age: async (keys) => {
      for (const key of keys) await utimes(path.join(dataDir, 'files', key), hourAgo(), hourAgo());
      return minuteAgo();
    },
    stop: () => rm(dataDir, { recursive: true }),
  };
}

async function bucket(): Promise<Tested & { fake: FakeBucket }> {
  const fake = await startFakeBucket();
  return {
    fake,
    storage: await openStorage({ dataDir: '/nowhere', storageUrl: fake.url }),
    leftovers: async () => fake.uploads.size,
    age: async (keys) => {
      for (const key of keys) fake.date(`merlon/${key}`, hourAgo());
      return minuteAgo();
    },
    stop: () => fake.stop(),
  };
}

/** A bucket on a real server, which tests may write to: `s3://key:secret@host:port/bucket/prefix?tls=false`. */
const realBucketUrl = process.env['TEST_S3_URL'] ?? '';
if (!realBucketUrl) process.stderr.write('Storage is not tested on a real S3 server: there is no TEST_S3_URL.\n');

async function realBucket(): Promise<Tested> {
  const url = new URL(realBucketUrl);
  url.pathname += `/test-${randomUUID()}`;
  const location = readStorageUrl(url.href);
  if (!('bucket' in location)) throw new Error('TEST_S3_URL must be a usable s3:// URL.');
  const { name, prefix, ...reached } = location.bucket;
  const client = new S3Client({ ...reached, forcePathStyle: true });
  return {
    storage: await openStorage({ dataDir: '/nowhere', storageUrl: url.href }),
    leftovers: () =>
      client.send(new ListMultipartUploadsCommand({ Bucket: name, Prefix: prefix })).then(
        ({ Uploads: unfinished }) => unfinished?.length ?? 0,
        (error: unknown) => {
          // Small servers can't list unfinished uploads, so leftovers are unknown.
          if (error instanceof S3ServiceException && error.name === 'NotImplemented') return 0;
          throw error;
        },
      ),
    // A test can't set the time of a server's files, which has a resolution of a second.
    age: async () => {
      await wait(2500);
      return new Date(Date.now() - 1000);
    },
    stop: async () => client.destroy(),
  };
}

/** Leftovers that remain after the cleanup. */
async function left({ leftovers }: Tested): Promise<number> {
  for (let tries = 0; tries < 40 && (await leftovers()) > 0; tries += 1) await wait(50);
  return leftovers();
}

async function* slices(content: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += 300_000) yield content.subarray(start, start + 300_000);
}

const streamOf = (content: Buffer): Readable => Readable.from(slices(content), { objectMode: false });

describe.each([
  ['a folder', folder],
  ['a bucket', bucket],
  ...(realBucketUrl ? [['a bucket on a real server', realBucket] as const] : []),
] as const)('Files in %s', (_, start) => {
  let tested: Tested;
  beforeAll(async () => (tested = await start()));
  afterAll(() => tested.stop());

  test.each([0, 1, 8 * MEBIBYTE, 20 * MEBIBYTE + 1])('are returned unchanged at a size of %d bytes', async (bytes) => {
    const content = randomBytes(bytes);
    const stored = await tested.storage.write('exports/1.zip', streamOf(content));
    expect(stored.bytes).toBe(bytes);
    expect(await tested.storage.stat('exports/1.zip')).toEqual(stored);
    expect((await buffer(await tested.storage.open('exports/1.zip'))).equals(content)).toBe(true);
    expect(await left(tested)).toBe(0);
  });

  test('can be read by range, including both ends', async () => {
    await tested.storage.write('a.txt', Readable.from([Buffer.from('0123456789')]));
    expect(String(await buffer(await tested.storage.open('a.txt', { start: 2, end: 4 })))).toBe('234');
  });

  test('have another ETag after a change', async () => {
    const before = await tested.storage.write('b.txt', Readable.from([Buffer.from('one')]));
    const after = await tested.storage.write('b.txt', Readable.from([Buffer.from('two')]));
    expect(before.etag).toMatch(/^"[^"]+"$/);
    expect(after.etag).not.toBe(before.etag);
  });

  test('no longer exist after their removal, which is idempotent', async () => {
    await tested.storage.write('c.txt', Readable.from([Buffer.from('c')]));
    await tested.storage.remove('c.txt');
    await tested.storage.remove('c.txt');
    expect(await tested.storage.stat('c.txt')).toBeNull();
    await expect(tested.storage.open('c.txt')).rejects.toThrow(FileMissing);
  });

  test('are not replaced before the new content is complete', async () => {
    await tested.storage.write('d.bin', Readable.from([Buffer.from('old')]));
    async function* breaking(): AsyncGenerator<Buffer> {
      yield randomBytes(9 * MEBIBYTE);
      expect((await tested.storage.stat('d.bin'))?.bytes).toBe(3);
      throw new Error('The source broke.');
    }
    await expect(tested.storage.write('d.bin', Readable.from(breaking()))).rejects.toThrow('The source broke.');
    expect(String(await buffer(await tested.storage.open('d.bin')))).toBe('old');
    expect(await left(tested)).toBe(0);
  });

  test('are abandoned immediately when the write is aborted, and leave nothing behind', async () => {
    const stop = new AbortController();
    const reason = new Error('Cancelled.');
    async function* stalling(): AsyncGenerator<Buffer> {
      yield randomBytes(9 * MEBIBYTE);
      setTimeout(() => stop.abort(reason), 50);
      await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
    }
    const start = Date.now();
    await expect(tested.storage.write('e.bin', Readable.from(stalling()), stop.signal)).rejects.toBe(reason);
    expect(Date.now() - start).toBeLessThan(30_000); // half of the time for which the source stalls
    expect(await tested.storage.stat('e.bin')).toBeNull();
    // The bucket removes incomplete uploads in the background.
    await eventually(async () => (await left(tested)) === 0);
  });

  test('are abandoned immediately if the write was aborted before it began', async () => {
    const reason = new Error('Cancelled.');
    async function* stalling(): AsyncGenerator<Buffer> {
      yield randomBytes(10);
      await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
    }
    const written = tested.storage.write('f.bin', Readable.from(stalling()), AbortSignal.abort(reason));
    await expect(written).rejects.toBe(reason);
    expect(await tested.storage.stat('f.bin')).toBeNull();
    // The bucket removes incomplete uploads in the background.
    await eventually(async () => (await left(tested)) === 0);
  });

  test('are listed under their folder only if they are older than the limit', async () => {
    const keys = ['1/a', '1/b.zip', '2/c', '2/d', '2/e'].map((name) => `imports/${name}`);
    const write = (key: string): Promise<unknown> => tested.storage.write(key, Readable.from([Buffer.from('x')]));
    for (const key of [...keys, 'imported']) await write(key);
    const limit = await tested.age([...keys, 'imported']);
    await write('imports/1/new');
    expect((await Array.fromAsync(tested.storage.list('imports', limit))).flat().sort()).toEqual(keys);
    expect(await Array.fromAsync(tested.storage.list('elsewhere', limit))).toEqual([]);
  });

  test('cannot be addressed outside the storage', async () => {
    await expect(tested.storage.open('../secret')).rejects.toThrow('is not a valid file key');
    await expect(tested.storage.stat('/etc/passwd')).rejects.toThrow('is not a valid file key');
    await expect(Array.fromAsync(tested.storage.list('..', new Date()))).rejects.toThrow('is not a valid file key');
  });
});

test('leftovers of a crashed writer in a folder are listed by key and removed with it', async () => {
  const { files, storage, leftovers, stop } = await folder();
  await storage.write('imports/1/kept', Readable.from([Buffer.from('a')]));
  await writeFile(path.join(files, 'imports', '1', 'lost.0123456789abcdef.part'), 'half');
  await writeFile(path.join(files, 'imports', '1', 'Not ours!'), 'x');
  const found = (await Array.fromAsync(storage.list('imports', new Date(Date.now() + 60_000)))).flat();
  expect(found.sort()).toEqual(['imports/1/kept', 'imports/1/lost']);
  await storage.remove('imports/1/lost');
  expect(await leftovers()).toBe(0);
  await stop();
});

test('a folder that cannot be created is reported as a storage failure', async () => {
  const { storage, stop } = await folder();
  await storage.write('a', Readable.from([Buffer.from('a')]));
  await expect(storage.write('a/b', Readable.from([Buffer.from('b')]))).rejects.toThrow(StorageFailure);
  await stop();
});

test('the ETag is requested from a bucket that does not return it on completion of a multipart upload', async () => {
  const { fake, storage, stop } = await bucket();
  fake.withholdEtags();
  const stored = await storage.write('a', streamOf(randomBytes(9 * MEBIBYTE)));
  expect(stored.etag).toMatch(/^"[^"]+"$/);
  expect(await storage.stat('a')).toEqual(stored);
  await stop();
});

test('an upload to a slow bucket reads no more than three parts ahead', async () => {
  const { fake, storage, stop } = await bucket();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  fake.hold(released);
  let read = 0;
  async function* content(): AsyncGenerator<Buffer> {
    for (; read < 80 * MEBIBYTE; read += MEBIBYTE) yield Buffer.alloc(MEBIBYTE);
  }
  const written = storage.write('a', Readable.from(content()));
  let before = -1;
  // The source is read as fast as the storage allows, so it has stopped once nothing was read for a while.
  await eventually(async () => {
    const isResting = read > 0 && read === before;
    before = read;
    await wait(500);
    return isResting;
  });
  expect(read).toBeLessThanOrEqual(3 * 8 * MEBIBYTE);
  release();
  expect((await written).bytes).toBe(80 * MEBIBYTE);
  await stop();
});

test('a folder rejects files that leave less space than the minimum, also while they are written', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'merlon-storage-'));
  const { bavail, bsize } = await statfs(dataDir);
  const fullAfter = async (minFreeDiskBytes: number, bytes: number): Promise<unknown> => {
    const storage = await openStorage({ dataDir, storageUrl: undefined, minFreeDiskBytes });
    return storage.write('a', Readable.from([Buffer.alloc(bytes)])).catch((error: unknown) => error);
  };
  expect(await fullAfter(bavail * bsize * 2, 1)).toBeInstanceOf(StorageFull);
  expect(await fullAfter(Math.floor((bavail * bsize) / 2), 10 * MEBIBYTE)).toMatchObject({ bytes: 10 * MEBIBYTE });
  expect(await readdir(path.join(dataDir, 'files'))).toEqual(['a']);
  await rm(dataDir, { recursive: true });
});

describe('A failing bucket', () => {
  test.each([
    [{ status: 403, code: 'AccessDenied' }, 'denies access'],
    [{ status: 404, code: 'NoSuchBucket' }, 'does not exist'],
    [{ status: 507, code: 'XMinioStorageFull' }, 'is full'],
    [{ status: 400, code: 'Whatever' }, 'cannot be used'],
  ])('reports the cause: %j', async (rejection, words) => {
    const { fake, storage, stop } = await bucket();
    fake.rejectWith(rejection);
    const failure = await storage.write('a', Readable.from([Buffer.from('a')])).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StorageFailure);
    expect((failure as StorageFailure).message).toContain(words);
    await stop();
  });

  test('does not hide the error of the source if the upload cannot be aborted', async () => {
    const { fake, storage, stop } = await bucket();
    async function* breaking(): AsyncGenerator<Buffer> {
      yield randomBytes(9 * MEBIBYTE);
      await eventually(async () => fake.uploads.size === 1);
      fake.rejectWith({ status: 403, code: 'AccessDenied' });
      throw new Error('The source broke.');
    }
    await expect(storage.write('a', Readable.from(breaking()))).rejects.toThrow('The source broke.');
    await stop();
  });

  test('reports that it cannot be reached', async () => {
    const { storage, stop } = await bucket();
    await stop();
    await expect(storage.write('a', Readable.from([Buffer.from('a')]))).rejects.toThrow('cannot be reached');
    await expect(storage.stat('a')).rejects.toThrow('cannot be reached');
  });
});

test('a file URL selects the folder of the storage', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'merlon-storage-'));
  await writeFile(path.join(directory, 'there'), 'yes');
  const storage = await openStorage({ dataDir: '/nowhere', storageUrl: `file://${directory}` });
  expect((await storage.stat('there'))?.bytes).toBe(3);
  await rm(directory, { recursive: true });
});
