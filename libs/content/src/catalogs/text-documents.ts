import { CsvError, parse as parseRows } from 'csv-parse/sync';
import { BrokenCatalog } from './catalog.js';
import { Node } from './json-document.js';
import { parse, YAMLError } from 'yaml';

/** Parses a CSV file with a header into one object per row. Throws `BrokenCatalog`. */
export function parseCsv(text: string): Node[] {
  try {
    const rows: unknown[] = parseRows(text, { columns: true, skip_empty_lines: true, trim: true });
    return rows.map((row, index) => new Node(row, `row ${index + 1}`));
  } catch (error) {
    if (error instanceof CsvError) throw new BrokenCatalog(`The file is not valid CSV: ${error.message}`);
    throw error;
  }
}

/** Parses a YAML document. Throws `BrokenCatalog`; also if its aliases would multiply it (`ReferenceError`). */
export function parseYaml(text: string): Node {
  try {
    return new Node(parse(text, { logLevel: 'error' }), '$');
  } catch (error) {
    if (error instanceof YAMLError || error instanceof ReferenceError)
      throw new BrokenCatalog(`The file is not valid YAML: ${error.message.split('\n', 1)[0] ?? ''}`);
    throw error;
  }
}
