import { type Mutant, mutantsOf } from './mutant.ts';

const FILES = mutantsOf('libs/files/src/csv/write-csv.ts', 'csv-formulas', [
  [String.raw`[\t\r\n']|\s*[=+\-@＝＋－＠]`, String.raw`[\t\r\n']|\s*[=]`],
]);

const POLICY = 'libs/domain/src/projects/risk-policy/risk-policy-compliance.ts';
const COMPLIANCE = mutantsOf(POLICY, 'risk-polic', [
  ["('null', '[]') OR ${test(wanted)})`", "('null', '[]') OR true)`"],
  ['AND ${rankOf(sql`task.verification_status`)} >= ${rankOf(sql`met.minimum_verification_status`)})', ')'],
]);

/** Faults that one test at least has to notice. */
export const MUTANTS: readonly Mutant[] = [...FILES, ...COMPLIANCE];
