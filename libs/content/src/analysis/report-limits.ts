import type { RuleOutcome } from '#domain/projects/project-countermeasure/analysis-report.rules.js';

/** The report can't be read. The message is shown to the caller. */
export class UnreadableReport extends Error {}

/** Limits on the memory that one report can use. They are above the size of reports that tools write. */
export const REPORT_LIMITS = {
  bytes: 32 * 2 ** 20,
  depth: 64,
  subjects: 10_000,
  /** Maximum number of rules in a SARIF log, and of different references to them. */
  rules: 10_000,
  findings: 100,
  descriptionLength: 500,
  /** Maximum number of characters from which a description is made. */
  describing: 10_000,
  attributes: 200,
  /** Maximum number of levels of a hierarchical rule id: results of a rule belong to so many rules at most. */
  ruleLevels: 8,
  /** Maximum number of runs in a SARIF log. */
  runs: 1000,
  /** Maximum number of components of a tool in a SARIF log. */
  components: 100,
  /** Maximum number of characters of the names of rules, tests and tools that are kept. */
  nameLength: 500,
  /** Maximum number of countermeasures and weaknesses that one test or rule can name; further ones are ignored. */
  keys: 50,
  /** Maximum number of JSON tokens in one rule or result of a SARIF log. */
  tokens: 500_000,
};

const TASK = /(?<![A-Za-z0-9])(?:[1-9]\d{0,17}-)?((?:C?T|PT)[1-9]\d{0,8})(?![A-Za-z0-9])/g;
const CWE = /(?<![A-Za-z])CWE[-_: ]?0*([1-9]\d{0,5})(?!\d)/gi;

function* namedIn(text: string): Generator<string, void, undefined> {
  for (const [, task] of text.matchAll(TASK)) if (task !== undefined) yield task;
  for (const [, cwe] of text.matchAll(CWE)) yield `CWE-${cwe}`;
}

/** Finds ids of countermeasures (`T21`) and weaknesses (`CWE-79`) in texts of a report. */
export function subjectsIn(texts: readonly (string | undefined)[]): string[] {
  const ids = new Set<string>();
  for (const text of texts)
    for (const subject of namedIn(text ?? '')) {
      ids.add(subject);
      if (ids.size === REPORT_LIMITS.keys) return [...ids];
    }
  return [...ids];
}

/** Counts a finding, unless there are too many different ones already. */
export function countFinding(findings: Map<string, number>, finding: string, count: number): void {
  const current = findings.get(finding) ?? 0;
  if (current || findings.size < REPORT_LIMITS.findings) findings.set(finding, current + count);
}

/** Shortens a description of a finding to one line. */
export const descriptionOf = (text: string): string =>
  Array.from(
    text
      .slice(0, REPORT_LIMITS.describing)
      .replace(/[\0\s]+/g, ' ')
      .trim(),
  )
    .slice(0, REPORT_LIMITS.descriptionLength)
    .join('')
    .toWellFormed();

/** Parses a report from consecutive chunks of text. */
export interface ReportReader {
  write(text: string): void;
  /** Ends the report, and returns what it says. */
  end(): ReportContent;
}

/** What a report says. */
export interface ReportContent {
  readonly outcomes: readonly RuleOutcome[];
  /** Why parts of the report have no verdict. */
  readonly warnings: readonly string[];
}
