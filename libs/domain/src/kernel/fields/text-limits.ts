/** Unicode code points of a public id. */
export const LONGEST_ID = 100;

/** Unicode code points of one line, such as a title. */
export const LONGEST_LINE = 500;

/** Unicode code points of a long text. */
export const LONGEST_TEXT = 100_000;

/** Entries of a list. */
export const LONGEST_LIST = 10_000;
