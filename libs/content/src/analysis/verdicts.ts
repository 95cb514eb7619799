import type { Verdict } from '#domain/projects/project-countermeasure/analysis-report.commands.js';

/** The report can't be read. The message is shown to the caller. */
export class UnreadableReport extends Error {}

/** Limits on the memory that one report can use. They are above the size of reports that tools write. */
export const REPORT_LIMITS = {
  bytes: 32 * 2 ** 20,
  depth: 64,
  subjects: 10_000,
  findings: 100,
  descriptionLength: 500,
  /** Maximum number of characters from which a description is made. */
  describing: 10_000,
  attributes: 200,
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

/** Collects verdicts by subject while a report is read. */
export class Verdicts {
  private readonly bySubject = new Map<string, { passed: number; failed: number; findings: Map<string, number> }>();

  /** Records one outcome for these subjects: the finding if they failed, null if they passed. */
  record(subjects: readonly string[], finding: string | null, count = 1): void {
    for (const subject of subjects) {
      const verdict = this.bySubject.get(subject) ?? { passed: 0, failed: 0, findings: new Map<string, number>() };
      this.bySubject.set(subject, verdict);
      if (this.bySubject.size > REPORT_LIMITS.subjects)
        throw new UnreadableReport(`The report refers to more than ${REPORT_LIMITS.subjects} countermeasures.`);
      if (finding === null) verdict.passed += count;
      else {
        verdict.failed += count;
        countFinding(verdict.findings, finding, count);
      }
    }
  }

  get all(): ReadonlyMap<string, Verdict> {
    return this.bySubject;
  }
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
  end(): void;
}
