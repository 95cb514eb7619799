import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import type { SqlMutant } from './sql/sql-mutant.ts';

const root = path.resolve(import.meta.dirname, '../..');
const page = path.join(root, 'test/mutation/results.md');

const NOTICED: ReadonlySet<string> = new Set(['Killed', 'Timeout']);

/** Tests of the group run the code, and none notices the change. */
export const isMissed = ({ status }: MutantResult): boolean => status === 'Survived';

const cell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|');

const code = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return `\`${cell(line.length > 90 ? `${line.slice(0, 89)}…` : line).replaceAll('`', 'ˋ')}\``;
};

export const changeOf = ({ search, replacement }: SqlMutant): string =>
  replacement.trim() ? `${code(search)} → ${code(replacement)}` : `without ${code(search)}`;

/** Puts rows between the marks of a table; `rowsOf` gets the rows that are there, and keeps those of others. */
function writeTable(mark: string, head: string, rowsOf: (known: readonly string[]) => readonly string[]): void {
  const [before = '', table = '', after = ''] = readFileSync(page, 'utf8').split(
    new RegExp(`(?<=<!-- ${mark} -->\n)|(?=<!-- /${mark} -->)`),
  );
  const line = head.replaceAll(/[^|]+/g, '---');
  const rows = rowsOf(table.split('\n'));
  writeFileSync(page, `${before}${['', head, line, ...rows, '', ''].join('\n')}${after}`);
}

/** Writes the rows of changes to SQL that were tried; those of others stay. */
export function writeSqlTable(all: readonly SqlMutant[], underTest: ReadonlyMap<SqlMutant, readonly string[]>): void {
  writeTable('sql mutants', '| File | Change | Noticed by |', (known) =>
    all.flatMap((mutant) => {
      const begin = `| \`${path.basename(mutant.file, '.ts')}\` | ${changeOf(mutant)} |`;
      const failures = underTest.get(mutant);
      if (failures) return [`${begin} ${cell(failures[0] ?? '**none**')} |`];
      return known.filter((row) => row.startsWith(begin)).slice(0, 1);
    }),
  );
}

/** What Stryker changed: in which line, and how. */
export const placeOf = ({ location, mutatorName }: MutantResult): string => `${location.start.line} ${mutatorName}`;

/** `12 BooleanLiteral, 15 Regex ×2` */
function placesOf(mutants: readonly MutantResult[]): string {
  const byPlace = Map.groupBy(mutants, placeOf);
  return [...byPlace].map(([location, { length }]) => (length > 1 ? `${location} ×${length}` : location)).join(', ');
}

/** A comment in the code says why no test can notice it. */
const isExcused = ({ status, statusReason = '' }: MutantResult): boolean =>
  status === 'Ignored' && !/^(?:Ignored because of|Static mutant)/.test(statusReason);

/** Rows of one file: each test with the lines whose changes it noticed. */
function rowsOfFile(begin: string, mutants: readonly MutantResult[]): string[] {
  const noticed = mutants.filter(({ status }) => NOTICED.has(status));
  const missed = mutants.filter(isMissed);
  const excused = mutants.filter(isExcused);
  const unrun = mutants.filter(({ status }) => status === 'NoCoverage');
  const byTest = Map.groupBy(noticed, ({ killedBy }) => killedBy?.[0] ?? 'the run does not end');
  return [
    `${begin} **${noticed.length} of ${noticed.length + missed.length}** | |`,
    ...[...byTest].map(([test, its]) => `${begin} ${cell(test)} | ${placesOf(its)} |`),
    ...missed.map((mutant) => `${begin} **none** | ${placeOf(mutant)}: ${code(mutant.replacement)} |`),
    ...excused.map((mutant) => `${begin} *none can* | ${placeOf(mutant)}: ${cell(mutant.statusReason ?? '')} |`),
    ...(unrun.length ? [`${begin} *not run by these suites* | ${placesOf(unrun)} |`] : []),
  ];
}

/** Writes the rows of files that Stryker changed; those of others stay. */
export function writeTypeScriptTable(all: readonly string[], results: readonly MutantResult[]): void {
  const byFile = Map.groupBy(results, ({ fileName }) => path.relative(root, fileName));
  writeTable('mutants', '| File | Noticed by | Lines and changes |', (known) =>
    all.flatMap((file) => {
      const begin = `| \`${path.basename(file, '.ts')}\` |`;
      const mutants = byFile.get(file);
      return mutants ? rowsOfFile(begin, mutants) : known.filter((row) => row.startsWith(begin));
    }),
  );
}
