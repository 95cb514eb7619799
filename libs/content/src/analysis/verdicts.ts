import type { Verdict } from '#domain/projects/project-countermeasure/analysis-report.commands.js';

/** The report can't be read; the message is for whoever sent it. */
export class UnreadableReport extends Error {}

/** What keeps a report from growing in memory beyond any that tools write. */
export const REPORT_LIMITS = {
  bytes: 32 * 2 ** 20,
  depth: 64,
  subjects: 10_000,
  findings: 100,
  descriptionLength: 500,
  /** Characters that a description is made of. */
  describing: 10_000,
  attributes: 200,
  /** Countermeasures and weaknesses that one test or rule names; it is not looked for more. */
  keys: 50,
  /** Of a rule or a result of a SARIF log, which are read one by one: its names, values and signs. */
  tokens: 500_000,
};

const TASK = /(?<![A-Za-z0-9])(?:[1-9]\d{0,17}-)?((?:C?T|PT)[1-9]\d{0,8})(?![A-Za-z0-9])/g;
const CWE = /(?<![A-Za-z])CWE[-_: ]?0*([1-9]\d{0,5})(?!\d)/gi;

function* namedIn(text: string): Generator<string, void, undefined> {
  for (const [, task] of text.matchAll(TASK)) if (task !== undefined) yield task;
  for (const [, cwe] of text.matchAll(CWE)) yield `CWE-${cwe}`;
}

/** Ids of countermeasures (`T21`) and of weaknesses (`CWE-79`) that texts of a report name. */
export function subjectsIn(texts: readonly (string | undefined)[]): string[] {
  const found = new Set<string>();
  for (const text of texts)
    for (const subject of namedIn(text ?? '')) {
      found.add(subject);
      if (found.size === REPORT_LIMITS.keys) return [...found];
    }
  return [...found];
}

/** Counts a finding, as long as there are not too many different ones. */
export function countFinding(findings: Map<string, number>, finding: string, count: number): void {
  const known = findings.get(finding) ?? 0;
  if (known || findings.size < REPORT_LIMITS.findings) findings.set(finding, known + count);
}

/** Verdicts by subject, as they come in. */
export class Verdicts {
  private readonly bySubject = new Map<string, { passed: number; failed: number; findings: Map<string, number> }>();

  /** Notes one outcome of these subjects: failed with what was found, or passed. */
  note(subjects: readonly string[], finding: string | null, count = 1): void {
    for (const subject of subjects) {
      const verdict = this.bySubject.get(subject) ?? { passed: 0, failed: 0, findings: new Map<string, number>() };
      this.bySubject.set(subject, verdict);
      if (this.bySubject.size > REPORT_LIMITS.subjects)
        throw new UnreadableReport(`The report names more than ${REPORT_LIMITS.subjects} countermeasures.`);
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

/** A description of what was found, as it is kept: short, and of one line. */
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

/** Takes a report as text, piece by piece. */
export interface ReportReader {
  write(text: string): void;
  end(): void;
}
