/** The priority of a countermeasure. */
export const PRIORITY = { minimum: 1, maximum: 10 };

/** Unicode code points of one tag. */
export const TAG_MAXIMUM_LENGTH = 100;

/** Tags as they are kept: trimmed, without empty ones, each once, in the order given. */
export const cleanTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => tag !== '');
