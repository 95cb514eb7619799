import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { Forbidden, Invalid, NotFound, QuotaExceeded, TooMuchWaiting } from '#domain/kernel/domain-errors.js';
import { isRetryable, isStatementTimeout } from '#domain/kernel/transaction.js';
import { NoFreeSlot } from '#platform/fair-slots.js';
import { StorageFull } from '#platform/storage/file-storage.js';
import { type ServiceFailure, serviceFailureOf } from '#platform/database/service-failures.js';
import { InvalidPage, InvalidParameters } from '#query/errors.js';
import { ItemHasChanged, ErrorResponse, throttled } from './error-response.js';
import type { ApiRequest, SubRequestState } from '../request.js';
import { boundedErrors, shortened } from './bounded-errors.js';

interface ErrorContent {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Value of `Retry-After` if earlier work of the organization must end first. */
const WAITING_SECONDS = 60;

/** Value of `Retry-After` if no slot is free: most requests take less time. */
const BUSY_SECONDS = 1;

const detail = (text: string): object => ({ detail: shortened(text) });

/** The text of a framework exception; its pipes may report several messages. */
function textOf(error: HttpException): string {
  const response = error.getResponse();
  const message: unknown = typeof response === 'object' && 'message' in response ? response.message : undefined;
  return Array.isArray(message) ? message.join(' ') : error.message;
}

const contentOf = (error: unknown): ErrorContent | undefined => {
  if (error instanceof ItemHasChanged)
    return { status: error.status, body: { detail: error.detail, current: error.current } };
  if (error instanceof ErrorResponse)
    return { status: error.status, body: detail(error.detail), headers: error.headers };
  if (error instanceof NotFound || error instanceof InvalidPage) return { status: 404, body: detail(error.message) };
  if (error instanceof Forbidden) return { status: 403, body: detail(error.message) };
  if (error instanceof QuotaExceeded) return { status: 413, body: detail(error.message) };
  if (error instanceof TooMuchWaiting)
    return { status: 429, body: detail(error.message), headers: { 'Retry-After': String(WAITING_SECONDS) } };
  if (error instanceof StorageFull)
    return { status: 507, body: detail('The service has no room for the file. Try again later.') };
  if (error instanceof Invalid) return { status: 400, body: boundedErrors(error.errors) };
  if (error instanceof InvalidParameters) return { status: 400, body: boundedErrors(error.parameters) };
  if (error instanceof NoFreeSlot) return contentOf(throttled(BUSY_SECONDS));
  if (error instanceof HttpException && error.getStatus() < 500)
    return { status: error.getStatus(), body: detail(textOf(error)) };
  return undefined;
};

/** Texts and statuses of failures that are no fault of the request. Clients may repeat it after some time. */
const FAILURES: Readonly<Record<ServiceFailure, Omit<ErrorContent, 'body'> & { readonly detail: string }>> = {
  full: { status: 507, detail: 'The service has no free disk space at present.', headers: { 'Retry-After': '60' } },
  unavailable: { status: 503, detail: 'The service is not available at present.', headers: { 'Retry-After': '5' } },
};

/** The response to a failure that is no fault of the request: it lacked a slot, or the service is not available. */
export function passingFailureOf(error: unknown): ErrorResponse | undefined {
  if (error instanceof NoFreeSlot) return throttled(BUSY_SECONDS);
  const failure = serviceFailureOf(error);
  return failure && new ErrorResponse(FAILURES[failure].status, FAILURES[failure].detail, FAILURES[failure].headers);
}

/** The response to an unexpected error. It reveals nothing about the cause. */
function serverErrorOf(error: unknown, requestId: string): ErrorContent {
  const failure = serviceFailureOf(error);
  const { detail: text = 'Internal server error.', status = 500, headers = {} } = failure ? FAILURES[failure] : {};
  return {
    status: error instanceof HttpException ? error.getStatus() : status,
    body: { detail: text, request_id: requestId },
    headers,
  };
}

/** Whether the composite request reports an error: it is retried after a conflict, or was interrupted. */
const isReported = (error: unknown, { signal }: SubRequestState): boolean =>
  isRetryable(error) || (signal.aborted && isStatementTimeout(error));

/** Converts every error into the same error body; unexpected errors are logged, and their body reveals nothing. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const content = contentOf(error);
    if (!content && request.subRequest) request.subRequest.failure = error;
    const expected =
      content !== undefined || (request.subRequest !== undefined && isReported(error, request.subRequest));
    if (error instanceof StorageFull) request.log.error({ err: error }, 'The storage is full');
    if (!expected) request.log.error({ err: error }, 'Unexpected error');
    if (response.headersSent) {
      // A response that has begun can't become an error, so it is cut off.
      response.destroy();
      return;
    }
    const { status, body, headers = {} } = content ?? serverErrorOf(error, request.id);
    response.status(status).set(headers).json(body);
  }
}
