/** Why a project can have an attribute: an answer, a question of a component, what a component implies, or a user. */
export const SOURCE_TYPES = ['survey', 'component', 'implied', 'manual'] as const;

/** Attributes that can be added at once. */
export const MOST_AT_ONCE = 500;

/** Characters of the reason for an attribute. */
export const REASON_MAXIMUM_LENGTH = 1024;
