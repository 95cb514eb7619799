import { type Attributes, type Span, type SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';

/** Of all spans. While telemetry is off, its spans do nothing. */
export const tracer = (): Tracer => trace.getTracer('merlon');

/** Marks a span as failed, without the message of the error: it may contain content. */
export function fail(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
}

/** The code of an error, or its class. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as Error & { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

/** Runs work in a span, which is a child of the current one. */
export function inSpan<Result>(
  name: string,
  options: { readonly kind: SpanKind; readonly attributes: Attributes },
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer().startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      fail(span, errorTypeOf(error));
      throw error;
    } finally {
      span.end();
    }
  });
}
