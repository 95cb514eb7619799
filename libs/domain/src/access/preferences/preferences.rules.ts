/** Bytes of all preferences of a user as JSON. */
export const MAX_PREFERENCES_BYTES = 16_384;
