import { csvWriter } from './csv.js';
import type { FormatWriter } from './format-writer.js';
import { jsonWriter } from './json.js';
import { xlsxWriter } from './xlsx.js';
import { yamlWriter } from './yaml.js';

/** The writer of each format, by the name that requests and files use. */
export const WRITERS = {
  csv: csvWriter,
  json: jsonWriter,
  yaml: yamlWriter,
  xlsx: xlsxWriter,
} as const satisfies Readonly<Record<string, FormatWriter>>;
