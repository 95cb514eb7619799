/** Maximum number of characters that a message quotes. */
const LONGEST_QUOTE = 100;

/** The error for a cell that shows an error of a spreadsheet. */
export const errorOfCell = (shown: string): string =>
  `The cell shows the error ${JSON.stringify(shown.slice(0, LONGEST_QUOTE))}. Correct it in the spreadsheet.`;
