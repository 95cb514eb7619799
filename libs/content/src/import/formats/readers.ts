import type { FileFormat } from '#domain/exchange/job/content-models.js';
import type { FormatReader } from './format-reader.js';
import { readCsv } from './read-csv.js';
import { readJson } from './read-json.js';
import { readXlsx } from './read-xlsx.js';
import { readYaml } from './read-yaml.js';

export const READERS: Readonly<Record<FileFormat, FormatReader>> = {
  csv: readCsv,
  json: readJson,
  yaml: readYaml,
  xlsx: readXlsx,
};
