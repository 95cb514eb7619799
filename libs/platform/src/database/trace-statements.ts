import { SpanKind, trace } from '@opentelemetry/api';
import type { Pool } from 'pg';
import { errorTypeOf, fail, tracer } from '../telemetry/spans.js';
import { wrapQueries } from './wrap-queries.js';

const OPERATION = /^\s*(\w+)/;
const CHANGE = /\b(insert)\s+into\b|\b(update|delete)\s+(?:only\s+)?(?:from\s+)?"?\w/i;
const TABLE = /\b(?:from|into|update)\s+(?:only\s+)?(?:"?\w+"?\.)?"?([a-z_]+)"?/i;

/** The operation of a statement and the first table that it names, without any value. */
export function summaryOf(statement: string): { readonly operation: string; readonly summary: string } {
  // Not by one regular expression: its time would grow with the square of the text.
  const [start = '', ...commented] = statement.split('/*');
  const uncommented = [start, ...commented.map((rest) => rest.slice(rest.indexOf('*/') + 2))].join(' ');
  const text = uncommented
    .split("'")
    .filter((_, index) => index % 2 === 0)
    .join(' ');
  const first = OPERATION.exec(text)?.[1]?.toUpperCase() ?? 'UNKNOWN';
  const change = first === 'WITH' ? CHANGE.exec(text) : null;
  const operation = first === 'WITH' ? (change?.[1] ?? change?.[2] ?? 'SELECT').toUpperCase() : first;
  const table = TABLE.exec(text)?.[1];
  return { operation, summary: table === undefined ? operation : `${operation} ${table}` };
}

/**
 * Makes a span of each statement within a request or job. The text of a statement is not recorded: it may contain
 * values.
 *
 * @param pool a pool of connections, before its first use
 */
export function traceStatements(pool: Pool): void {
  const { database = '' } = pool.options;
  wrapQueries(pool, (query) => (...parameters) => {
    const [statement] = parameters;
    const text = typeof statement === 'string' ? statement : (statement as { text?: unknown } | undefined)?.text;
    // Polls of the worker belong to nothing; each would be a trace of its own.
    if (!trace.getActiveSpan() || typeof text !== 'string') return query(...parameters);
    const { operation, summary } = summaryOf(text);
    const span = tracer().startSpan(summary, {
      kind: SpanKind.CLIENT,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.summary': summary,
        ...(database && { 'db.namespace': database }),
      },
    });
    const end = (error?: unknown): void => {
      if (error) {
        const type = errorTypeOf(error);
        fail(span, type);
        span.setAttribute('db.response.status_code', type);
      }
      span.end();
    };
    const callback = parameters.at(-1);
    if (typeof callback === 'function')
      return query(...parameters.slice(0, -1), (error: unknown, ...results: unknown[]): void => {
        end(error);
        (callback as (...values: unknown[]) => void)(error, ...results);
      });
    const result = query(...parameters);
    if (result instanceof Promise) result.then(() => end(), end);
    else end();
    return result;
  });
}
