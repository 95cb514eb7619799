/** Unicode code points of a token's name. */
export const TOKEN_NAME_MAXIMUM_LENGTH = 200;

/** Days for which an expired token stays in its owner's list. */
export const EXPIRED_TOKEN_DAYS = 30;
