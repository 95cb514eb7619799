import { mutantsOf, type SqlMutant } from './sql-mutant.ts';

const POLICY = 'libs/domain/src/projects/risk-policy/risk-policy-compliance.ts';

/** What is worked out: compliance, trends, what is in a project and why, coverage. */
export const RULES: readonly SqlMutant[] = [
  ...mutantsOf('libs/files/src/csv/formula-guard.ts', 'csv-formulas', [
    [String.raw`[\t\r\n']|\s*[=+\-@＝＋－＠]`, String.raw`[\t\r\n']|\s*[=]`],
  ]),
  ...mutantsOf(POLICY, 'risk-polic', [
    ["('null', '[]') OR ${test(filterValue)})`", "('null', '[]') OR true)`"],
    ['AND ${rankOf(countermeasure.verification)} >= ${rankOf(sql`allowed.minimum_verification_status`)})', ')'],
    [
      "passesFilter('phases', (filter) => sql`${filter} ? ${phase}`)",
      "passesFilter('phases', () => sql`${phase} IS NOT NULL`)",
    ],
    [
      "passesFilter('tags', (filter) => sql`${filter} ?| ${tags}`)",
      "passesFilter('tags', (filter) => sql`${filter} ?& ${tags}`)",
    ],
    ['coalesce(task.phase_id, version.phase_id)', 'version.phase_id'],
    ['coalesce(task.tags, version.tags,', 'coalesce(version.tags, task.tags,'],
    ['task.relevant AND task.accepted', 'task.relevant'],
    ['task.relevant AND task.accepted', 'task.accepted'],
    ["allowed.task_status = 'TS' || ${countermeasure.status}", 'allowed.task_status IS NOT NULL'],
    ['CASE WHEN p.survey_complete THEN NOT EXISTS', 'CASE WHEN true THEN NOT EXISTS'],
  ]),
  ...mutantsOf('libs/domain/schema/functions.sql', 'library-triggers', [
    ['former.active, former.answer_id)', 'former.active, changed.answer_id)'],
    ['      former.tags)', '      changed.tags)'],
    ['former.is_active, former.attributes)', 'former.is_active, changed.attributes)'],
    ['former.active, former.problems)', 'former.active, changed.problems)'],
  ]),
  ...mutantsOf('libs/domain/src/reports/trend/trend.commands.ts', 'trend-snapshots', [
    ['AS phase, max(priority) AS priority', 'AS phase, min(priority) AS priority'],
    ["ELSE 'Complete' END, max(p.priority)", "ELSE 'Complete' END, min(p.priority)"],
    ['(array_agg(phase ORDER BY phase_ordinal, phase))[1]', '(array_agg(phase ORDER BY phase_ordinal DESC, phase))[1]'],
    ['FROM trend_state WHERE state = ${INCOMPLETE} GROUP', 'FROM trend_state GROUP'],
  ]),
  ...mutantsOf(
    'libs/domain/src/projects/regulation-coverage/regulation-coverage.projection.ts',
    'regulation-coverage',
    [
      ["n.strength = 'full' OR", 'n.strength IS NOT NULL OR'],
      ['item.partial_mappings_complete AND', ''],
      ['} AND item.active', '}'],
      ['AND t.accepted', ''],
      ["s.meaning = 'DONE'", "s.meaning <> 'DONE'"],
    ],
  ),
];
