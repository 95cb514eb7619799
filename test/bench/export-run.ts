import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import { exportLibrary } from '#content/export/export-library.js';
import type { FileFormat } from '#domain/exchange/job/content-models.js';
import { ormOptions } from '#orm';

/** What one export took. */
export interface Measured {
  readonly rows: number;
  readonly seconds: number;
  readonly bytes: number;
  /** Greatest resident memory of the process, in bytes. */
  readonly memory: number;
}

/** One export in a process of its own, so that its memory is its own: DATABASE_URL, ORGANIZATION, FORMAT, FILE. */
const { DATABASE_URL = '', ORGANIZATION, FORMAT, FILE = '' } = process.env;
const orm = await MikroORM.init(ormOptions({ url: DATABASE_URL, poolSize: 4, timeZone: 'UTC' }));
await orm.em.getConnection().execute('SELECT 1');
const peak = (): number => process.resourceUsage().maxRSS * 1024;
const start = performance.now();
let rows = 0;
const archive = await exportLibrary(
  orm.em,
  {
    organizationId: Number(ORGANIZATION),
    type: 'content',
    fileFormat: FORMAT as FileFormat,
    contentModels: ['standard'],
  },
  { signal: new AbortController().signal, progress: ({ done }) => (rows = done) },
);
const file = createWriteStream(FILE);
await pipeline(archive, file);
const seconds = (performance.now() - start) / 1000;
process.send?.({ rows, seconds, bytes: file.bytesWritten, memory: peak() } satisfies Measured);
await orm.close();
