import { type Mutant, mutantsOf } from './mutant.ts';

const FILES = mutantsOf('libs/files/src/csv/write-csv.ts', 'csv-formulas', [
  [String.raw`[\t\r\n']|\s*[=+\-@＝＋－＠]`, String.raw`[\t\r\n']|\s*[=]`],
]);

const POLICY = 'libs/domain/src/projects/risk-policy/risk-policy-compliance.ts';
const COMPLIANCE = mutantsOf(POLICY, 'risk-polic', [
  ["('null', '[]') OR ${test(wanted)})`", "('null', '[]') OR true)`"],
  ['AND ${rankOf(sql`task.verification_status`)} >= ${rankOf(sql`met.minimum_verification_status`)})', ')'],
  ["passes('phases', (wanted) => sql`${wanted} ? ${phase}`)", "passes('phases', () => sql`${phase} IS NOT NULL`)"],
  ["passes('tags', (wanted) => sql`${wanted} ?| ${tags}`)", "passes('tags', (wanted) => sql`${wanted} ?& ${tags}`)"],
  ['coalesce(task.phase_id, seen.phase_id)', 'seen.phase_id'],
  ['coalesce(task.tags, seen.tags,', 'coalesce(seen.tags, task.tags,'],
  ['task.relevant AND task.accepted', 'task.relevant'],
  ['task.relevant AND task.accepted', 'task.accepted'],
  ["met.task_status = 'TS' || task.status_id", 'met.task_status IS NOT NULL'],
  ['CASE WHEN p.survey_complete THEN NOT EXISTS', 'CASE WHEN true THEN NOT EXISTS'],
]);

/** Faults that one test at least has to notice. */
export const MUTANTS: readonly Mutant[] = [...FILES, ...COMPLIANCE];
