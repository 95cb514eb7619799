/** The sources of attributes: an answer, a question of a component, a component that implies it, or a user. */
export const SOURCE_TYPES = ['survey', 'component', 'implied', 'manual'] as const;

/** The maximum number of attributes in one request. */
export const MAX_AT_ONCE = 500;

/** In characters. */
export const MAX_REASON_LENGTH = 1024;
