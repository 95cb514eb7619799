import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { openArchive } from '#test/support/archives.js';
import { FileTooLarge } from '../limits.js';
import { zip } from './zip.js';

const entry = (name: string, ...parts: string[]) => ({
  name,
  content: parts.map((part) => Buffer.from(part)),
  compression: 6,
});

test('an archive contains its files, including empty ones, with the given time', async () => {
  const time = new Date('2026-03-04T15:43:50Z');
  const archive = await openArchive(await buffer(zip([entry('a.txt', 'one', 'two'), entry('b.txt')], time)));
  expect(await archive.file('a.txt')?.async('string')).toBe('onetwo');
  expect(await archive.file('b.txt')?.async('string')).toBe('');
  expect(archive.file('a.txt')?.date).toEqual(time);
});

test('an archive that would exceed its size limit fails with the reason, with one file or several', async () => {
  const small = buffer(zip([entry('a.txt', 'x'.repeat(1000))], new Date(), 900));
  await expect(small).rejects.toThrow(FileTooLarge);
  const random = Array.from({ length: 50 }, (_, n) => String(Math.sin(n)));
  await expect(buffer(zip([entry('a.txt', ...random), entry('b.txt', ...random)], new Date(), 1000))).rejects.toThrow(
    'would exceed 4 GiB',
  );
});

test('an error of a file becomes the error of the archive', async () => {
  async function* breaking(): AsyncGenerator<Buffer> {
    yield Buffer.from('a');
    throw new Error('It broke.');
  }
  await expect(buffer(zip([{ name: 'a', content: breaking(), compression: 1 }], new Date()))).rejects.toThrow(
    'It broke.',
  );
});

test('an error of a file ends the archive even while nothing reads it', async () => {
  async function* breaking(): AsyncGenerator<Buffer> {
    for (let n = 0; n < 4; n += 1) yield randomBytes(2 ** 20);
    await wait(100);
    throw new Error('It broke.');
  }
  const archive = zip([{ name: 'a', content: breaking(), compression: 0 }], new Date());
  const failed = new Promise((resolve) => archive.once('error', resolve));
  archive.read(0); // starts it without reading any bytes
  expect(await failed).toMatchObject({ message: 'It broke.' });
});
