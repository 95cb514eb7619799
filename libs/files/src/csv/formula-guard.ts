/**
 * Beginnings of texts that a spreadsheet may run as a formula, and the apostrophe that prevents that. Some programs
 * accept the full-width forms of the signs, and some skip blanks before them.
 */
const ACTIVE = /^(?:[\t\r\n']|\s*[=+\-@＝＋－＠])/;

/** What spreadsheets write into a cell whose formula failed. They would read such a text as an error again. */
const ERROR_VALUE = /^#(?:N\/A|REF!|DIV\/0!|VALUE!|NAME\?|NULL!|NUM!|SPILL!|CALC!)$/;

export const isErrorValue = (text: string): boolean => ERROR_VALUE.test(text);

const isGuarded = (text: string): boolean => ACTIVE.test(text) || isErrorValue(text);

/** Adds the apostrophe that makes a spreadsheet read a text as text. */
export const guarded = (text: string): string => (isGuarded(text) ? `'${text}` : text);

/** Removes the apostrophe only from texts that `guarded` would have given one: others may begin with a quotation. */
export const unguarded = (cell: string): string =>
  cell.startsWith("'") && isGuarded(cell.slice(1)) ? cell.slice(1) : cell;
