import type { FileFormat } from '#domain/exchange/job/content-models.js';

const FORMATS: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  xlsx: 'xlsx',
};

/** Error for a file of one model whose format is unknown. */
const UNKNOWN_FORMAT = 'The name of a file with one model must end in .csv, .json, .yaml, .yml or .xlsx.';

const SAVE_AS = 'Save it as .xlsx or .csv, and import that file.';

/** What files are whose names people may take for those of a format. */
const OTHERS: Readonly<Record<string, string>> = {
  xls: 'an old Excel workbook',
  xlsb: 'a binary Excel workbook',
  xlsm: 'an Excel workbook with macros',
  ods: 'an OpenDocument spreadsheet',
  fods: 'an OpenDocument spreadsheet',
  numbers: 'a spreadsheet of Numbers',
  zip: 'an archive, which is sent without a model',
};

const extensionOf = (name: string): string => /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';

/** The error for a file of one model with a name whose format can't be imported. */
export function unknownFormat(name: string): string {
  const extension = extensionOf(name);
  const what = Object.hasOwn(OTHERS, extension) ? OTHERS[extension] : undefined;
  if (what === undefined) return UNKNOWN_FORMAT;
  return `The file is ${what} (.${extension}).${extension === 'zip' ? '' : ` ${SAVE_AS}`} ${UNKNOWN_FORMAT}`;
}

/** The format of a file by its extension; undefined if it can't be imported. */
export const formatOfName = (name: string): FileFormat | undefined => FORMATS[extensionOf(name)];
