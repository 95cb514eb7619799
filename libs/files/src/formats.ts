import type { FileFormat } from '#domain/exchange/job/content-models.js';
import { csvWriter } from './csv.js';
import type { FormatWriter } from './format-writer.js';
import { jsonWriter } from './json.js';
import { xlsxWriter } from './xlsx.js';
import { yamlWriter } from './yaml.js';

export const WRITERS: Readonly<Record<FileFormat, FormatWriter>> = {
  csv: csvWriter,
  json: jsonWriter,
  yaml: yamlWriter,
  xlsx: xlsxWriter,
};
