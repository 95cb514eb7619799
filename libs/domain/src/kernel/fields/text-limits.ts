/** Unicode code points of a public id. */
export const MAX_ID_LENGTH = 100;

/** Unicode code points of one line, such as a title. */
export const MAX_LINE_LENGTH = 500;

/** Unicode code points of a long text. */
export const MAX_TEXT_LENGTH = 100_000;

/** Entries of a list. */
export const MAX_LIST_LENGTH = 10_000;
