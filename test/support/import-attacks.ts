import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { describe as describeModel } from '#content/models/models.js';
import { InvalidFiles } from '#files/invalid-files.js';
import { FORMATS } from '#files/formats.js';
import { openSource } from '#content/import/difference/source-files.js';
import { collectGarbage } from './garbage.js';

/** Reads every row of an upload; returns the error messages. */
export async function rejections(
  content: Buffer,
  model: ContentModel | null = null,
  fileName = 'library.zip',
): Promise<string> {
  const file = path.join(tmpdir(), `merlon-attack-${randomUUID()}`);
  await writeFile(file, content);
  const errors: string[] = [];
  try {
    const source = await openSource({ path: file, fileName, model });
    try {
      for (const { name, model: of, format, content: bytes, finish } of source.files) {
        const { columns } = describeModel(of);
        let rows = 0;
        const file = { name, model: of, columns, content: bytes(), signal };
        for await (const _ of FORMATS[format].read(file, (row, _field, details) => errors.push(`${row}: ${details}`)))
          rows += 1;
        finish(rows);
      }
    } finally {
      source.close();
    }
  } catch (error) {
    if (!(error instanceof InvalidFiles)) throw error;
    errors.push(...error.errors.map(({ details }) => details));
  } finally {
    await rm(file);
  }
  return errors.join('\n');
}

/** For reads that are never cancelled. */
export const { signal } = new AbortController();

/** Seconds for one attack on an idle machine; far more on a busy one. */
export const MAX_MILLISECONDS = 120_000;

/** The interval of memory measurements. Each one collects garbage, which must not take most of the time. */
const LOOK_MILLISECONDS = 500;
const REST_AFTER_LOOK = 3;

/** Bytes in use. Uncollected garbage would depend on the load of the machine. */
function bytesInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Runs an attack, which must end soon and never use much memory. */
export async function withinLimits<Result>(attack: () => Promise<Result>): Promise<Result> {
  const before = bytesInUse();
  let most = before;
  let next: NodeJS.Timeout | undefined;
  const look = (): void => {
    const startedAt = performance.now();
    most = Math.max(most, bytesInUse());
    const took = performance.now() - startedAt;
    next = setTimeout(look, Math.max(LOOK_MILLISECONDS, REST_AFTER_LOOK * took));
  };
  look();
  try {
    const startedAt = performance.now();
    const result = await attack();
    expect(performance.now() - startedAt).toBeLessThan(MAX_MILLISECONDS);
    expect(Math.max(most, bytesInUse()) - before).toBeLessThan(100 * 2 ** 20);
    return result;
  } finally {
    clearTimeout(next);
  }
}
