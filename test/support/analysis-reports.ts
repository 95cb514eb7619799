import { Readable } from 'node:stream';
import { readReport, type Report } from '#content/analysis/read-report.js';

/** Feeds a report in pieces of this size. */
export const readInPieces = (report: string | Buffer, size = 7): Promise<Report> => {
  const bytes = Buffer.from(report);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  );
  return readReport(Readable.from(pieces));
};

/** The passes, failures and findings of each countermeasure and CWE that has a verdict. */
export const verdictsOf = ({ outcomes }: Report): Record<string, [number, number, Record<string, number>]> => {
  const verdicts: Record<string, [number, number, Record<string, number>]> = {};
  for (const { subjects, passed, failed, findings } of outcomes.filter((outcome) => outcome.passed || outcome.failed))
    for (const subject of subjects) {
      const [before = 0, failedBefore = 0, found = {}] = verdicts[subject] ?? [];
      verdicts[subject] = [before + passed, failedBefore + failed, { ...found, ...Object.fromEntries(findings) }];
    }
  return verdicts;
};

/** A rule with a CWE as Semgrep writes it. */
export const sarifRule = (id: string, cwe: number, fields: object = {}) => ({
  id,
  properties: { tags: [`CWE-${cwe}: A weakness`, 'security'] },
  ...fields,
});

/** A run of a tool. */
export const sarifRun = (rules: readonly object[], results: readonly object[] | undefined, fields: object = {}) => ({
  tool: { driver: { name: 'Scan', rules } },
  ...(results && { results }),
  ...fields,
});

/** A SARIF log with these runs. */
export const sarifLog = (...runs: object[]): string => JSON.stringify({ version: '2.1.0', runs });

/** A JUnit report with one suite. */
export const junitSuite = (content: string, attributes = ''): string =>
  `<testsuites><testsuite name="s" ${attributes}>${content}</testsuite></testsuites>`;
