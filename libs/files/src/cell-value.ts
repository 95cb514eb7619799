/** A value as JSON has it. Which one a column holds follows from its type. */
export type CellValue = string | number | boolean | null | readonly CellValue[] | { readonly [key: string]: CellValue };

export type RowValues = Readonly<Record<string, CellValue>>;
