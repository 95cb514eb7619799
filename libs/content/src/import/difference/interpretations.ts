import type { ImportInterpretation } from '#domain/exchange/import-job/import-job.rules.js';
import type { Interpretation } from '#files/interpretation.js';

/** Maximum number that is listed, and of the characters of each. */
const MAX_LISTED = 200;
const MAX_DETAILS_LENGTH = 300;

interface Counted extends Omit<ImportInterpretation, 'count'> {
  count: number;
}

/** Collects what was interpreted in the files. The values of a column are counted, and the first one is described. */
export class Interpretations {
  private readonly listed = new Map<string, Counted>();

  add(file: string, { kind, field, row, details }: Interpretation): void {
    const shown = details.slice(0, MAX_DETAILS_LENGTH);
    const key = JSON.stringify([file, kind, field ?? shown]);
    const same = this.listed.get(key);
    if (same) same.count += 1;
    else if (this.listed.size < MAX_LISTED) this.listed.set(key, { kind, file, field, row, count: 1, details: shown });
  }

  list(): ImportInterpretation[] {
    return [...this.listed.values()];
  }
}
