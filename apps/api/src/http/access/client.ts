import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Logger } from 'pino';
import { clientNetwork } from '../client-network.js';
import { type ApiRequest, requestOf } from '../request.js';

/** The sender of a request, before its user is known. */
export interface SignInClient {
  /** The address; undefined if the connection is already closed. */
  readonly ip: string | undefined;
  /** The address that limits count as one client. */
  readonly network: string;
  readonly userAgent: string;
  readonly log: Logger;
}

export const clientOf = ({ ip, headers, log }: ApiRequest): SignInClient => ({
  ip,
  network: clientNetwork(ip),
  userAgent: headers['user-agent'] ?? '',
  log,
});

/** Parameter decorator: who sends the request. */
export const Client = createParamDecorator((_: unknown, context: ExecutionContext): SignInClient =>
  clientOf(requestOf(context)),
);
