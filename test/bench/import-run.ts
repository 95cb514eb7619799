import { MikroORM } from '@mikro-orm/postgresql';
import { importInProcess } from '#content/import/import-in-process.js';
import { operatorOf } from '#domain/kernel/operator.js';
import { ormOptions } from '#orm';

/** What one import took. */
export interface MeasuredImport {
  readonly rows: number;
  readonly checkSeconds: number;
  readonly acceptSeconds: number;
  /** Greatest resident memory of the process, in bytes. */
  readonly memory: number;
}

/** One import in a process of its own, so that its memory is its own: DATABASE_URL, ORGANIZATION, FILE. */
const { DATABASE_URL = '', ORGANIZATION, FILE = '' } = process.env;
const orm = await MikroORM.init(ormOptions({ url: DATABASE_URL, poolSize: 4, timeZone: 'UTC' }));
let rows = 0;
let reviewed = 0;
const start = performance.now();
await importInProcess(
  orm.em,
  operatorOf(Number(ORGANIZATION)),
  { path: FILE, fileName: FILE, model: null },
  { signal: new AbortController().signal, progress: ({ total }) => (rows = total) },
  () => {
    reviewed = performance.now();
    return Promise.resolve(true);
  },
);
const end = performance.now();
process.send?.({
  rows,
  checkSeconds: (reviewed - start) / 1000,
  acceptSeconds: (end - reviewed) / 1000,
  memory: process.resourceUsage().maxRSS * 1024,
} satisfies MeasuredImport);
await orm.close();
