/** Bounds of a countermeasure's priority. */
export const PRIORITY = { minimum: 1, maximum: 10 };

/** The lowest priority that counts as high. */
export const HIGH_PRIORITY = 7;

/** Unicode code points of one tag. */
export const MAX_TAG_LENGTH = 100;
