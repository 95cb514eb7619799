/** Bounds of a countermeasure's priority. */
export const PRIORITY = { minimum: 1, maximum: 10 };

/** The lowest priority that counts as high. */
export const HIGH_PRIORITY = 7;

/**
 * The assurance levels of projects and countermeasures: those of level 1 are what every team does first, and a project
 * of level 3 has them all.
 */
export const LEVEL = { minimum: 1, maximum: 3 };

/** Unicode code points of one tag. */
export const MAX_TAG_LENGTH = 100;
