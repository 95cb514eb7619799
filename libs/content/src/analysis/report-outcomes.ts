import { MAX_LISTED_RULES, type RuleOutcome } from '#domain/projects/project-countermeasure/analysis-report.rules.js';
import { countFinding, REPORT_LIMITS, UnreadableReport } from './report-limits.js';

/** An outcome that is still being collected. */
export interface OpenOutcome extends RuleOutcome {
  readonly ids: string[];
  rules: number;
  results: number;
  passed: number;
  failed: number;
  readonly findings: Map<string, number>;
}

export const noOutcome = (tool: string, subjects: readonly string[]): OpenOutcome => ({
  tool,
  ids: [],
  rules: 0,
  results: 0,
  subjects,
  passed: 0,
  failed: 0,
  findings: new Map(),
});

/** Adds the ids and numbers of an outcome to another one with the same subjects. */
export function addOutcome(total: OpenOutcome, part: RuleOutcome): void {
  for (const id of part.ids) if (total.ids.length < MAX_LISTED_RULES) total.ids.push(id);
  total.rules += part.rules;
  total.results += part.results;
  total.passed += part.passed;
  total.failed += part.failed;
  for (const [finding, count] of part.findings) countFinding(total.findings, finding, count);
}

/** Throws `UnreadableReport` if the outcomes refer to too many countermeasures and weaknesses. */
export function assertFewSubjects(outcomes: readonly RuleOutcome[]): void {
  const subjects = new Set<string>();
  for (const outcome of outcomes) for (const subject of outcome.subjects) subjects.add(subject);
  if (subjects.size > REPORT_LIMITS.subjects)
    throw new UnreadableReport(`The report refers to more than ${REPORT_LIMITS.subjects} countermeasures.`);
}
