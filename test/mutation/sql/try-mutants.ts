import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SqlMutant } from './sql-mutant.ts';

const root = path.resolve(import.meta.dirname, '../../..');
/** A mutant that makes a suite hang counts as noticed. */
const MAX_RUN_MILLISECONDS = 180_000;

interface Report {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** The tests of a suite that fail, with or without a mutant. */
function failuresOf(folder: string, spec: string, mutant?: SqlMutant): string[] {
  const file = path.join(folder, 'report.json');
  rmSync(file, { force: true });
  const { stderr, signal } = spawnSync(
    process.execPath,
    [path.join(root, 'test/run.mjs'), spec, '--forceExit', '--json', `--outputFile=${file}`],
    {
      cwd: root,
      encoding: 'utf8',
      timeout: MAX_RUN_MILLISECONDS,
      maxBuffer: 2 ** 28,
      env: { ...process.env, MERLON_TEST_MUTANT: mutant && JSON.stringify(mutant) },
    },
  );
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    if (mutant && signal) return ['The suite does not end'];
    throw new Error(`jest wrote no report.\n${stderr}`);
  }
  const broken = report.testResults.find(({ message, assertionResults }) => message && !assertionResults.length);
  if (broken) throw new Error(`A suite of ${spec} does not start: ${broken.message}`);
  if (!report.numTotalTests) throw new Error(`No suite matches ${spec}.`);
  return report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
}

/** Runs the suites of each mutant with its change. Returns the tests that fail. */
export function tryMutants(mutants: readonly SqlMutant[]): Map<SqlMutant, readonly string[]> {
  for (const { file, search } of mutants) {
    const times = readFileSync(path.join(root, file), 'utf8').split(search).length - 1;
    if (times !== 1) throw new Error(`${file} contains this ${times} times instead of once: ${search}`);
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'merlon-mutants-'));
  try {
    for (const spec of new Set(mutants.map(({ spec }) => spec))) {
      const failures = failuresOf(folder, spec);
      if (failures.length) throw new Error(`${spec} fails without any mutant: ${failures.join('; ')}`);
    }
    return new Map(mutants.map((mutant) => [mutant, failuresOf(folder, mutant.spec, mutant)]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
