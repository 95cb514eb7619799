/** Why a request got no answer. */
export type FailureReason = 'address' | 'unresolved' | 'connection' | 'certificate' | 'timeout' | 'answer' | 'aborted';

const SENTENCES: Readonly<Record<FailureReason, string>> = {
  address: 'Its host has a private or reserved address, which is not allowed.',
  unresolved: 'Its host was not found.',
  connection: 'The connection failed.',
  certificate: 'Its certificate is not valid.',
  timeout: 'It did not answer in time.',
  answer: 'What it answered is not valid HTTP.',
  aborted: 'The request was broken off.',
};

/** A request that got no answer. The message may be shown: it holds neither the URL nor an address. */
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

/** Codes that OpenSSL and Node give to certificates that do not hold. */
const CERTIFICATE_CODE =
  /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/;

/**
 * Turns what a socket, a resolver or the HTTP parser threw into a failure without secrets.
 *
 * @param error what was thrown
 * @returns the failure; the error itself where it is one
 */
export function failureOf(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') return new OutboundFailure('connection');
  if (CERTIFICATE_CODE.test(code)) return new OutboundFailure('certificate', code);
  if (code.startsWith('HPE_')) return new OutboundFailure('answer', code);
  return new OutboundFailure(/^(ENOTFOUND|EAI_)/.test(code) ? 'unresolved' : 'connection', code);
}
