import type { FileFormat } from '#domain/exchange/job/content-models.js';

const FORMATS: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  xlsx: 'xlsx',
};

/** The format that a file's name ends in; undefined where it is none that can be imported. */
export const formatOfName = (name: string): FileFormat | undefined =>
  FORMATS[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''];
