import type { FileToRead, ReportError } from './format-reader.js';
import { checkHeader } from './header.js';
import { unreadable } from './invalid-files.js';
import { LIMITS } from './limits.js';

/** The members of a row. If the row is not an object, reports an error and returns undefined. */
export function rowOf(value: unknown, row: number, report: ReportError): Readonly<Record<string, unknown>> | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  report(row, null, 'A row must be an object.');
  return undefined;
}

/** Checks the member names of a file's rows, and reports each unknown column once. */
export class MemberNames {
  private readonly checked = new Set<string>();

  constructor(
    private readonly file: Pick<FileToRead, 'name' | 'columns'>,
    private readonly report: ReportError,
  ) {}

  /** Checks the names of a row. Throws `InvalidFiles` if there are too many, or if none of them is known. */
  check(row: number, values: Readonly<Record<string, unknown>>): void {
    const names = Object.keys(values);
    if (names.every((name) => this.checked.has(name))) return;
    checkHeader(this.file, row, names, (at, field, details) => {
      if (!this.checked.has(field ?? '')) this.report(at, field, details);
    });
    for (const name of names) this.checked.add(name.slice(0, 100));
    if (this.checked.size > LIMITS.columns)
      throw unreadable(this.file.name, `The file has more than ${LIMITS.columns} columns.`, row);
  }
}
