/** Why a request got no response. */
export type FailureReason = 'address' | 'unresolved' | 'connection' | 'certificate' | 'timeout' | 'answer' | 'aborted';

const SENTENCES: Readonly<Record<FailureReason, string>> = {
  address: 'Its host has a private or reserved address, which is not allowed.',
  unresolved: 'Its host was not found.',
  connection: 'The connection failed.',
  certificate: 'Its certificate is not valid.',
  timeout: 'It did not respond in time.',
  answer: 'Its response is not valid HTTP.',
  aborted: 'The request was aborted.',
};

/**
 * A request that got no response. The message may be shown: it contains neither the URL nor an address.
 *
 * @param reason what went wrong
 */
export class OutboundFailure extends Error {
  /**
   * @param reason what went wrong
   * @param code the code of the error behind it, such as `ECONNREFUSED`
   */
  constructor(
    readonly reason: FailureReason,
    readonly code?: string,
  ) {
    super(`${SENTENCES[reason]}${code === undefined ? '' : ` (${code})`}`);
    this.name = 'OutboundFailure';
  }
}

/** Codes of OpenSSL and Node for invalid certificates. */
const CERTIFICATE_CODE =
  /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/;

/**
 * Converts an error of a socket, a resolver or the HTTP parser into a failure without secrets.
 *
 * @param error what was thrown
 * @returns the failure; the error itself if it already is one
 */
export function failureOf(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') return new OutboundFailure('connection');
  if (CERTIFICATE_CODE.test(code)) return new OutboundFailure('certificate', code);
  if (code.startsWith('HPE_')) return new OutboundFailure('answer', code);
  return new OutboundFailure(/^(ENOTFOUND|EAI_)/.test(code) ? 'unresolved' : 'connection', code);
}

/** A server responded, but not as expected. The message may reveal what responds there: show it to super-users only. */
export class UnrecognizedServer extends Error {}
