import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { Forbidden, Invalid } from '#domain/kernel/domain-errors.js';
import { EngineUnavailable, QueryFailed } from '#reporting/engine.js';
import { InvalidParameters } from '#query/errors.js';
import { InvalidQuery } from '#reporting/query-error-collector.js';
import { boundedErrors, shortened } from '../../http/errors/bounded-errors.js';
import { passingFailureOf } from '../../http/errors/error.filter.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import type { ApiRequest } from '../../http/request.js';

interface CubeError {
  readonly status: number;
  readonly type: string;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const userError = (status: number, error: string, headers: CubeError['headers'] = {}): CubeError => ({
  status,
  type: 'UserError',
  error,
  headers,
});

function cubeError(error: unknown): CubeError | undefined {
  if (error instanceof InvalidQuery) return userError(400, new InvalidQuery(boundedErrors(error.errors)).message);
  if (error instanceof QueryFailed) return userError(400, error.message);
  if (error instanceof Forbidden) return userError(403, error.message);
  if (error instanceof Invalid) return userError(400, JSON.stringify(boundedErrors(error.errors)));
  if (error instanceof InvalidParameters) return userError(400, JSON.stringify(boundedErrors(error.parameters)));
  if (error instanceof ErrorResponse) return userError(error.status, shortened(error.detail), error.headers);
  if (error instanceof EngineUnavailable) return { status: 503, type: 'Internal Server Error', error: error.message };
  const failure = passingFailureOf(error);
  return failure && userError(failure.status, failure.detail, failure.headers);
}

/** Converts errors into the format of Cube: `{"type", "error"}` and nothing else. */
@Catch()
export class CubeErrorsFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const translated = cubeError(error);
    if (!translated || translated.status >= 500) request.log.error({ err: error }, 'A report could not be run');
    const {
      status,
      headers = {},
      ...body
    }: CubeError = translated ?? {
      status: 500,
      type: 'Internal Server Error',
      error: `Internal server error. Request ${request.id}`,
    };
    host.switchToHttp().getResponse<Response>().status(status).set(headers).json(body);
  }
}
