/** How many countermeasures one request can change. */
export const MAX_BULK_CHANGES = 1000;

/** How many users they can all be assigned to: each assignment is an activity of its own. */
export const MAX_BULK_ASSIGNEES = 20;

/** The longest note in characters that all of them can get. */
export const MAX_BULK_NOTE_LENGTH = 5000;
