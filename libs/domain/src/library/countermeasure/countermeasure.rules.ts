/** Bounds of a countermeasure's priority. */
export const PRIORITY = { minimum: 1, maximum: 10 };

/** Unicode code points of one tag. */
export const MAX_TAG_LENGTH = 100;
