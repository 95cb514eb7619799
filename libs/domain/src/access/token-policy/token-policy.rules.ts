/** The days after which an organization can require tokens to expire. */
export const TOKEN_MAX_DAYS = { minimum: 1, maximum: 3650 };
