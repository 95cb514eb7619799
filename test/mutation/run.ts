// `npm run test:mutants [-- words]`: makes each change of the recorded list, or those whose file or suite contains one
// of the words, for the time of a run of the suites that should notice it, and reports which test did. No file is
// written; suites read the changed text. `--write` writes the table of `docs/testing.md`, `--check` only compiles the
// mutants.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import '../support/jest/typescript.mjs';
import { Compiler } from './compiler.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';

const root = path.resolve(import.meta.dirname, '../..');
const page = path.join(root, 'docs/testing.md');
const { values, positionals: words } = parseArgs({
  options: { write: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
  allowPositionals: true,
});
/** A mutant that makes a suite wait for ever is noticed, too. */
const LONGEST_RUN_MILLISECONDS = 180_000;
const folder = mkdtempSync(path.join(tmpdir(), 'merlon-mutants-'));

interface Report {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** The tests of a suite that fail, with or without a mutant. */
function failuresOf(spec: string, mutant?: Mutant): string[] {
  const file = path.join(folder, 'report.json');
  rmSync(file, { force: true });
  const { stderr, signal } = spawnSync(
    process.execPath,
    [path.join(root, 'test/run.mjs'), spec, '--forceExit', '--json', `--outputFile=${file}`],
    {
      cwd: root,
      encoding: 'utf8',
      timeout: LONGEST_RUN_MILLISECONDS,
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
  if (!report.numTotalTests && !report.testResults.length) throw new Error(`No suite matches ${spec}.`);
  const failures = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
  const broken = report.testResults.filter(({ message, assertionResults }) => message && !assertionResults.length);
  return [...failures, ...broken.map(() => 'The suite does not start')];
}

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return `\`${(line.length > 90 ? `${line.slice(0, 89)}…` : line || ' ').replaceAll('|', '\\|').replaceAll('`', 'ˋ')}\``;
};

const changeOf = ({ search, replacement }: Mutant): string =>
  replacement.trim() ? `${short(search)} → ${short(replacement)}` : `without ${short(search)}`;

/** What a row of the table begins with. */
const rowOf = (mutant: Mutant): string => `| \`${path.basename(mutant.file, '.ts')}\` | ${changeOf(mutant)} |`;

const noticedBy = ([first = '**none**']: readonly string[]): string => first.replaceAll('|', '\\|');

/** Writes the rows of mutants that were tried; those of others stay. */
function writeTable(results: ReadonlyMap<Mutant, readonly string[]>): void {
  const [before = '', table = '', after = ''] = readFileSync(page, 'utf8').split(
    /(?<=<!-- mutants -->\n)|(?=<!-- \/mutants -->)/,
  );
  const known = table.split('\n');
  const rows = MUTANTS.map((mutant) => {
    const begin = rowOf(mutant);
    const failures = results.get(mutant);
    return failures ? `${begin} ${noticedBy(failures)} |` : known.find((line) => line.startsWith(begin));
  });
  const lines = [
    '',
    '| File | Change | Noticed by |',
    '|---|---|---|',
    ...rows.filter((row) => row !== undefined),
    '',
    '',
  ];
  writeFileSync(page, `${before}${lines.join('\n')}${after}`);
}

const chosen = MUTANTS.filter(
  ({ file, spec }) => !words.length || words.some((word) => file.includes(word) || spec.includes(word)),
);
const compiler = new Compiler(root);
const problems = chosen.flatMap((mutant) => {
  const problem = compiler.problemOf(mutant);
  return problem ? [`${mutant.file}: ${changeOf(mutant)}: ${problem}`] : [];
});
process.stdout.write(`${chosen.length} mutants, ${chosen.length - problems.length} compile.\n`);
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length) process.exitCode = 1;
else if (!values.check) await withServer(run);
rmSync(folder, { recursive: true, force: true });

/** One PostgreSQL for all runs of jest. */
async function withServer(action: () => void): Promise<void> {
  const { startDatabaseServer } = await import('../support/database-server.ts');
  const server = await startDatabaseServer();
  process.env.MERLON_TEST_DATABASE_URL = server.url;
  process.env.MERLON_TEST_APPLICATION_URL = server.applicationUrl;
  process.env.MERLON_TEST_DATABASE_STRATEGY = server.strategy;
  try {
    action();
  } finally {
    await server.stop();
  }
}

function run(): void {
  for (const spec of new Set(chosen.map(({ spec }) => spec))) {
    const failures = failuresOf(spec);
    if (failures.length) throw new Error(`${spec} fails without any mutant: ${failures.join('; ')}`);
  }
  const results = new Map<Mutant, readonly string[]>();
  for (const mutant of chosen) {
    const failures = failuresOf(mutant.spec, mutant);
    process.stdout.write(`${failures.length ? 'noticed ' : 'SURVIVED'} ${mutant.file}: ${changeOf(mutant)}\n`);
    if (failures[0]) process.stdout.write(`         ${failures[0]}\n`);
    results.set(mutant, failures);
  }
  const survivors = [...results.values()].filter(({ length }) => !length).length;
  process.stdout.write(`${results.size - survivors} of ${results.size} were noticed.\n`);
  if (values.write) writeTable(results);
  if (survivors) process.exitCode = 1;
}
