/** A JSON value. The column's type defines which kind it is. */
export type CellValue = string | number | boolean | null | readonly CellValue[] | { readonly [key: string]: CellValue };

export type RowValues = Readonly<Record<string, CellValue>>;

/** Maximum number of characters that a message quotes. */
const MAX_QUOTE_LENGTH = 100;

/** The error for a cell that shows an error of a spreadsheet. */
export const errorOfCell = (shown: string): string =>
  `The cell shows the error ${JSON.stringify(shown.slice(0, MAX_QUOTE_LENGTH))}. Correct it in the spreadsheet.`;

/** A scalar as text; other values become the empty text. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
};

/** The entries of a list as texts. */
export const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : []);
