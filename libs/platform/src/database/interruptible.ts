import { AsyncLocalStorage } from 'node:async_hooks';
import { Client, type Pool, type PoolClient } from 'pg';
import { wrapQueries } from './wrap-queries.js';

/** PostgreSQL's code for a cancelled statement. */
const CANCELLED = '57014';

/** Statements that end work, or that the driver needs in order to end it, are sent nevertheless. */
const CONTROLS_TRANSACTION = /^(begin|start transaction|savepoint|release|rollback|commit)\b/i;

const signals = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs work that can be interrupted: once `signal` is aborted, PostgreSQL cancels its running statement, and no other
 * statement is sent on the connections of pools with `interruptStatements`. The work fails with the error of a
 * cancelled statement, and its transactions are rolled back.
 */
export const interruptible = <Result>(signal: AbortSignal, work: () => Result): Result => signals.run(signal, work);

/** @param pool a pool of connections, before its first use */
export function interruptStatements(pool: Pool): void {
  wrapQueries(pool, (query, client) => (...parameters) => {
    const signal = signals.getStore();
    const [text] = parameters;
    if (!signal || (typeof text === 'string' && CONTROLS_TRANSACTION.test(text))) return query(...parameters);
    if (signal.aborted) return Promise.reject(cancelled());
    const result = query(...parameters);
    return result instanceof Promise ? untilAborted(result, signal, () => cancel(pool, client)) : result;
  });
}

const cancelled = (): Error => Object.assign(new Error('The work was interrupted.'), { code: CANCELLED });

/** Ends after a cancellation has reached the server, so that it can't cancel the next statement of the connection. */
async function untilAborted<Result>(
  statement: Promise<Result>,
  signal: AbortSignal,
  abort: () => Promise<void>,
): Promise<Result> {
  let aborting: Promise<void> | undefined;
  const listener = (): void => {
    aborting = abort();
  };
  signal.addEventListener('abort', listener, { once: true });
  try {
    return await statement;
  } finally {
    signal.removeEventListener('abort', listener);
    await aborting;
  }
}

/** Cancels the statement over a connection of its own: those of the pool may all be busy with such statements. */
async function cancel({ options }: Pool, { processID }: PoolClient & { processID?: number | null }): Promise<void> {
  const control = new Client(options);
  control.on('error', () => undefined); // reported by the calls below
  try {
    await control.connect();
    await control.query('SELECT pg_cancel_backend($1)', [processID]);
  } catch {
    // The statement goes on to its end. No other statement follows it.
  } finally {
    await control.end().catch(() => undefined);
  }
}
