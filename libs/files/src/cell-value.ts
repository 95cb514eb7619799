/** A JSON value. The column's type defines which kind it is. */
export type CellValue = string | number | boolean | null | readonly CellValue[] | { readonly [key: string]: CellValue };

export type RowValues = Readonly<Record<string, CellValue>>;
