/**
 * What is known about an answer of a survey: a profile or another project suggested it, someone chose it, or someone
 * rejected it. The first two are selected, so the project's content follows them.
 */
export const STORED_STATES = ['suggested', 'chosen', 'rejected'] as const;

export type StoredState = (typeof STORED_STATES)[number];

/** The states that clients see. A suggestion is not an answer yet. */
export const ANSWER_STATES = ['chosen', 'rejected', 'unanswered'] as const;
