import { existsSync, readFileSync } from 'node:fs';
import { GROUPS } from './groups.js';
import { MUTANTS } from './sql/mutants.js';

it('each change by hand finds its text once', () => {
  const isOnce = ({ file, search }: (typeof MUTANTS)[number]) => readFileSync(file, 'utf8').split(search).length === 2;
  expect(MUTANTS.filter((mutant) => !isOnce(mutant))).toEqual([]);
});

it('the files and suites of the other changes exist', () => {
  const paths = GROUPS.flatMap(({ files, suites }) => [...files, ...suites.map((suite) => `${suite}.spec.ts`)]);
  expect(paths.filter((file) => !existsSync(file))).toEqual([]);
});
