import type { Verdict } from '#domain/project-countermeasure/analysis-report.commands.js';

/** The report can't be read; the message is for whoever sent it. */
export class UnreadableReport extends Error {}

/** What keeps a report from growing in memory beyond any that tools write. */
export const REPORT_LIMITS = {
  bytes: 32 * 2 ** 20,
  depth: 64,
  subjects: 10_000,
  findings: 100,
  descriptionLength: 500,
  attributes: 200,
  keys: 50,
};

const TASK = /(?<![A-Za-z0-9])(?:[1-9]\d{0,17}-)?((?:C?T|PT)[1-9]\d{0,8})(?![A-Za-z0-9])/g;
const CWE = /(?<![A-Za-z])CWE[-_: ]?0*([1-9]\d{0,5})(?!\d)/gi;

/** Ids of countermeasures (`T21`) and of weaknesses (`CWE-79`) that texts of a report name. */
export function subjectsIn(texts: readonly (string | undefined)[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [, task] of text?.matchAll(TASK) ?? []) if (task !== undefined) found.add(task);
    for (const [, cwe] of text?.matchAll(CWE) ?? []) found.add(`CWE-${cwe}`);
    if (found.size > REPORT_LIMITS.keys) break;
  }
  return [...found];
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
        const known = verdict.findings.get(finding) ?? 0;
        if (known || verdict.findings.size < REPORT_LIMITS.findings) verdict.findings.set(finding, known + count);
      }
    }
  }

  get all(): ReadonlyMap<string, Verdict> {
    return this.bySubject;
  }
}

/** A description of what was found, as it is kept: short, and of one line. */
export const descriptionOf = (text: string): string =>
  Array.from(text.replace(/[\0\s]+/g, ' ').trim())
    .slice(0, REPORT_LIMITS.descriptionLength)
    .join('')
    .toWellFormed();

/** Takes a report as text, piece by piece. */
export interface ReportReader {
  write(text: string): void;
  end(): void;
}
