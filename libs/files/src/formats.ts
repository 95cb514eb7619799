import { readCsv } from './csv/read-csv.js';
import { csvWriter } from './csv/write-csv.js';
import { ofKind } from './file-kind.js';
import type { FormatReader } from './format-reader.js';
import type { FormatWriter } from './format-writer.js';
import { readJson } from './json/read-json.js';
import { jsonWriter } from './json/write-json.js';
import { readXlsx } from './xlsx/read-xlsx.js';
import { xlsxWriter } from './xlsx/write-xlsx.js';
import { readYaml } from './yaml/read-yaml.js';
import { yamlWriter } from './yaml/write-yaml.js';

/** Reads and writes rows of one format. */
export interface Format {
  readonly read: FormatReader;
  readonly writer: FormatWriter;
}

/** All formats, by the name that requests and files use. */
export const FORMATS = {
  csv: { read: ofKind('text', readCsv), writer: csvWriter },
  json: { read: ofKind('text', readJson), writer: jsonWriter },
  yaml: { read: ofKind('text', readYaml), writer: yamlWriter },
  xlsx: { read: ofKind('zip', readXlsx), writer: xlsxWriter },
} as const satisfies Readonly<Record<string, Format>>;
