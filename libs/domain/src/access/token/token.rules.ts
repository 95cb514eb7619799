/** Unicode code points of a token's name. */
export const TOKEN_NAME_MAXIMUM_LENGTH = 200;

/** Days after which expired tokens are removed from their owner's list. */
export const EXPIRED_TOKEN_DAYS = 30;
