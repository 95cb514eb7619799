import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import type { Claims } from '#domain/access/identity/provider-claims.js';
import { OutboundFailure } from '#platform/outbound/outbound-failure.js';

/** A sign-in with a provider that failed. The message is shown to the person. */
export class SignInFailure extends Error {
  /**
   * @param userId the user whom it concerns, if that is known
   * @param claims what the provider has confirmed, if anything
   */
  constructor(
    message: string,
    readonly context: { readonly userId?: number; readonly claims?: Claims } = {},
  ) {
    super(message);
  }
}

/** The format of error codes of OAuth. Anything else is not repeated. */
const ERROR_CODE = /^\w{1,60}$/;

const codeOf = (code: string): string => (ERROR_CODE.test(code) ? ` (${code})` : '');

/** The failure of a request among the causes of an error. */
function outboundFailureOf(error: unknown): OutboundFailure | undefined {
  if (error instanceof OutboundFailure) return error;
  return error instanceof Error ? outboundFailureOf(error.cause) : undefined;
}

/** What a check of the library has found: its own texts, which contain nothing that the provider has sent. */
function findingOf(error: ClientError): string {
  const { cause } = error;
  return cause instanceof Error && cause.message !== error.message
    ? `${error.message}: ${cause.message}`
    : error.message;
}

/** Explains an error of a conversation with a provider. Unexpected errors stay as they are. */
export function providerFailure({ name }: { readonly name: string }, error: unknown): unknown {
  const unreachable = outboundFailureOf(error);
  if (unreachable) return new SignInFailure(`${name} could not be reached. ${unreachable.message}`);
  if (error instanceof AuthorizationResponseError)
    return new SignInFailure(`${name} did not sign you in${codeOf(error.error)}.`);
  if (error instanceof ResponseBodyError)
    return new SignInFailure(`${name} did not accept the sign-in of this service${codeOf(error.error)}.`);
  if (error instanceof ClientError)
    return new SignInFailure(`The response of ${name} is not valid: ${findingOf(error)}.`);
  return error;
}
