import type { FileFormat } from '#domain/exchange/job/content-models.js';

const FORMATS: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  xlsx: 'xlsx',
};

/** Error for a file of one model whose format is unknown. */
export const UNKNOWN_FORMAT = 'The name of a file with one model must end in .csv, .json, .yaml, .yml or .xlsx.';

/** The format of a file by its extension; undefined if it can't be imported. */
export const formatOfName = (name: string): FileFormat | undefined =>
  FORMATS[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''];
