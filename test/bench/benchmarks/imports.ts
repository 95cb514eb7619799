// `npm run bench -- imports [format …] [--large]`: rows a second and peak memory of an import of new countermeasures in
// each format: of the check with the difference, also as a share of the library alone on the same file, and of the
// accept, each together with as many that another organization has.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import JSZip from 'jszip';
import { MikroORM } from '@mikro-orm/postgresql';
import { FILE_FORMATS, type FileFormat } from '#domain/exchange/job/content-models.js';
import { exportLibrary } from '#content/export/export-library.js';
import { createOrganization } from '#domain/access/organization/organization.commands.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { ormOptions } from '#orm';
import { NODE_OPTIONS } from '#platform/node-options.js';
import type { MeasuredImport } from '../import-run.ts';
import { readAlone } from '../library-alone.ts';
import { startDatabase } from '../deployment.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { large: { type: 'boolean', default: false } },
});
const CHECKS: Readonly<Record<FileFormat, number>> = { csv: 2000, json: 2000, yaml: 2000, xlsx: 1000 };
const TARGETS = { accept: 2000, memory: 300 };
const size = values.large ? 100_000 : 10_000;
const formats = FILE_FORMATS.filter((format) => positionals.length === 0 || positionals.includes(format));

/** Imports into one organization what another one exports, on a database of their own: none is larger than another. */
async function measure(format: FileFormat): Promise<MeasuredImport & { readonly alone: number }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
  const database = await startDatabase(folder, size);
  const orm = await MikroORM.init(ormOptions({ url: database.url, poolSize: 4, timeZone: 'UTC' }));
  try {
    const file = path.join(folder, `${format}.zip`);
    const contentModels = ['phase', 'weakness', 'standard'] as const;
    const archive = await exportLibrary(
      orm.em,
      { organizationId: database.organization, type: 'content', fileFormat: format, contentModels },
      { signal: new AbortController().signal, progress: () => undefined },
    );
    await pipeline(archive, createWriteStream(file));
    const { organizationId } = await acrossOrganizations(orm.em, 'operate the deployment', (em) =>
      createOrganization(em, {
        name: `Imports of ${format}`,
        admin: { email: `${format}@example.com`, first_name: 'Ada', last_name: 'Admin' },
      }),
    );
    const child = fork(path.join(import.meta.dirname, '../import-run.ts'), {
      env: { ...database.env, ORGANIZATION: String(organizationId), FILE: file },
      execArgv: [...NODE_OPTIONS],
    });
    const [measured] = (await once(child, 'message')) as [MeasuredImport];
    await once(child, 'exit');
    const exported = await JSZip.loadAsync(await readFile(file));
    const rows = (await exported.file(`standard.${format}`)?.async('nodebuffer')) ?? Buffer.alloc(0);
    return { ...measured, alone: await readAlone(format, rows) };
  } finally {
    await orm.close(true);
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const verdict = (holds: boolean): string => (holds ? 'met' : 'not met');

for (const format of formats) {
  const { rows, checkSeconds, acceptSeconds, memory, alone } = await measure(format);
  const target = CHECKS[format];
  const [check, accept, mebibytes] = [rows / checkSeconds, rows / acceptSeconds, memory / 2 ** 20].map(Math.round);
  process.stdout.write(
    `${format.padEnd(5)} ${rows} rows  check ${check}/s (${target}: ${verdict((check ?? 0) >= target)})` +
      `  ${(alone / checkSeconds).toFixed(2)} of the rate of the library alone` +
      `  accept ${accept}/s (${TARGETS.accept}: ${verdict((accept ?? 0) >= TARGETS.accept)})` +
      `  ${mebibytes} MiB (${TARGETS.memory}: ${verdict((mebibytes ?? 0) <= TARGETS.memory)})\n`,
  );
}
