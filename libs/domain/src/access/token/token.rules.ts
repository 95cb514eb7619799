/** Unicode code points of a token's name. */
export const MAX_TOKEN_NAME_LENGTH = 200;

/** Days after which expired tokens are removed from their owner's list. */
export const EXPIRED_TOKEN_DAYS = 30;
