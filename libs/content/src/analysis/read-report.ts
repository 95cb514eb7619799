import type { Readable } from 'node:stream';
import { junitReader } from './read-junit.js';
import { sarifReader } from './read-sarif.js';
import { REPORT_LIMITS, type ReportContent, type ReportReader, UnreadableReport } from './report-limits.js';

/** What a report says about countermeasures (`T21`) and weaknesses (`CWE-79`). */
export interface Report extends ReportContent {
  readonly bytes: number;
}

function readerFor(text: string): ReportReader {
  if (text.startsWith('<')) return junitReader();
  if (text.startsWith('{')) return sarifReader();
  throw new UnreadableReport('The file is neither a JUnit report (XML) nor a SARIF log (JSON).');
}

/** Reads a JUnit or SARIF report as a stream, without holding all of it in memory. Throws `UnreadableReport`. */
export async function readReport(file: Readable): Promise<Report> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
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
    reader ??= readerFor(text.trimStart());
    reader.write(text);
  };
  for await (const chunk of file as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > REPORT_LIMITS.bytes)
      throw new UnreadableReport(`The report is larger than ${REPORT_LIMITS.bytes / 2 ** 20} MiB.`);
    take(decoded(chunk));
  }
  take(decoded());
  if (bytes > 0 && !reader) throw new UnreadableReport('The file is empty.');
  const content = reader?.end() ?? { outcomes: [], warnings: [] };
  return { bytes, ...content };
}
