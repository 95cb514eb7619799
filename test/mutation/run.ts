// `npm run test:mutants [-- words]`: changes rules of the code, one at a time, and reports which test noticed each
// change. Stryker makes the changes in TypeScript; those in SQL are listed in `sql/`. Words select files,
// `--typescript` and `--sql` select one kind of change. `--write` writes the tables of `test/mutation/results.md`.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import '../support/jest/typescript.mjs';
import { GROUPS } from './groups.ts';
import { MUTANTS } from './sql/mutants.ts';
import { tryMutants } from './sql/try-mutants.ts';
import { changeOf, isMissed, writeSqlTable, writeTypeScriptTable } from './tables.ts';

const { values, positionals: words } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    typescript: { type: 'boolean', default: false },
    sql: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const root = path.resolve(import.meta.dirname, '../..');
/** What the type checker reads: the changed files and their imports. With the whole project, a mutant takes seconds. */
const checked = path.join(root, `node_modules/.merlon/tsconfig.mutants-${process.pid}.json`);
const isChosen = (file: string): boolean => !words.length || words.some((word) => file.includes(word));

/** One PostgreSQL for all runs of jest: they find it by the environment. */
async function withServer(action: () => Promise<void>): Promise<void> {
  const { startDatabaseServer } = await import('../support/database-server.ts');
  const server = await startDatabaseServer();
  process.env.MERLON_TEST_DATABASE_URL = server.url;
  process.env.MERLON_TEST_OWNER_URL = server.ownerUrl;
  process.env.MERLON_TEST_APPLICATION_URL = server.applicationUrl;
  process.env.MERLON_TEST_DATABASE_STRATEGY = server.strategy;
  try {
    await action();
  } finally {
    await server.stop();
    rmSync(checked, { force: true });
  }
}

/** Runs Stryker; returns the number of mutants that no test noticed. */
async function changeTypeScript(): Promise<number> {
  const results: MutantResult[] = [];
  const all = GROUPS.flatMap(({ files }) => files);
  for (const { files, suites } of GROUPS) {
    const mutate = files.filter(isChosen);
    const testMatch = suites.map((suite) => `<rootDir>/${suite}.spec.ts`);
    if (!mutate.length) continue;
    const read = mutate.map((file) => path.join(root, file));
    writeFileSync(checked, JSON.stringify({ extends: path.join(root, 'tsconfig.json'), include: [], files: read }));
    const stryker = new Stryker({ mutate, tsconfigFile: checked, jest: { config: { testMatch } } });
    results.push(...(await stryker.runMutationTest()));
    // After each group, so that the results are kept if a later group fails.
    if (values.write) writeTypeScriptTable(all, results);
  }
  return results.filter(isMissed).length;
}

/** Tries the SQL mutants; returns the number of those that no test noticed. */
function changeSql(): number {
  const results = tryMutants(MUTANTS.filter(({ file }) => isChosen(file)));
  const missed = [...results].filter(([, failures]) => !failures.length).map(([mutant]) => mutant);
  process.stdout.write(`${results.size - missed.length} of ${results.size} SQL mutants were killed.\n`);
  for (const mutant of missed) process.stdout.write(`SURVIVED ${mutant.file}: ${changeOf(mutant)}\n`);
  if (values.write) writeSqlTable(MUTANTS, results);
  return missed.length;
}

await withServer(async () => {
  const missed = (values.sql ? 0 : await changeTypeScript()) + (values.typescript ? 0 : changeSql());
  if (missed) process.exitCode = 1;
});
