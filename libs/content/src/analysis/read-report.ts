import type { Readable } from 'node:stream';
import type { Verdict } from '#domain/projects/project-countermeasure/analysis-report.commands.js';
import { junitReader } from './read-junit.js';
import { sarifReader } from './read-sarif.js';
import { REPORT_LIMITS, type ReportReader, UnreadableReport, Verdicts } from './verdicts.js';

/** The verdicts of a report, by countermeasure (`T21`) and by weakness (`CWE-79`). */
export interface Report {
  readonly bytes: number;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

function readerFor(text: string, verdicts: Verdicts): ReportReader {
  if (text.startsWith('<')) return junitReader(verdicts);
  if (text.startsWith('{')) return sarifReader(verdicts);
  throw new UnreadableReport('The file is neither a JUnit report (XML) nor a SARIF log (JSON).');
}

/** Reads a JUnit or SARIF report as a stream, without holding all of it in memory. Throws `UnreadableReport`. */
export async function readReport(content: Readable): Promise<Report> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const verdicts = new Verdicts();
  let reader: ReportReader | undefined;
  let bytes = 0;
  const decoded = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new UnreadableReport('The file is not in UTF-8.');
    }
  };
  const take = (text: string): void => {
    if (!reader && text.trim() === '') return;
    reader ??= readerFor(text.trimStart(), verdicts);
    reader.write(text);
  };
  for await (const chunk of content as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > REPORT_LIMITS.bytes)
      throw new UnreadableReport(`The report is larger than ${REPORT_LIMITS.bytes / 2 ** 20} MiB.`);
    take(decoded(chunk));
  }
  take(decoded());
  if (bytes > 0 && !reader) throw new UnreadableReport('The file is empty.');
  reader?.end();
  return { bytes, verdicts: verdicts.all };
}
