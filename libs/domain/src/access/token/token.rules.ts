/** Unicode code points of a token's name. */
export const MAX_TOKEN_NAME_LENGTH = 200;

/** Projects that a token can be limited to. */
export const MAX_TOKEN_PROJECTS = 100;

/** Days after which expired tokens are removed from their owner's list. */
export const EXPIRED_TOKEN_DAYS = 30;
