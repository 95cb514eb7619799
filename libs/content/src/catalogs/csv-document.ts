import { CsvError, parse } from 'csv-parse/sync';
import { BrokenCatalog } from './catalog.js';
import { Node } from './json-document.js';

/** Parses a CSV file with a header into one object per row. Throws `BrokenCatalog`. */
export function parseCsv(text: string): Node[] {
  try {
    const rows: unknown[] = parse(text, { columns: true, skip_empty_lines: true, trim: true });
    return rows.map((row, index) => new Node(row, `row ${index + 1}`));
  } catch (error) {
    if (error instanceof CsvError) throw new BrokenCatalog(`The file is not valid CSV: ${error.message}`);
    throw error;
  }
}
