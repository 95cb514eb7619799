/** Hours for which a key returns its first response. */
export const IDEMPOTENCY_HOURS = 24;

/** Characters of a key. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/** Bytes of a response that is kept. */
export const MAX_KEPT_RESPONSE_BYTES = 2 ** 20;

/** The purpose for which kept responses are encrypted. */
export const KEPT_RESPONSE_PURPOSE = 'idempotency.response';
