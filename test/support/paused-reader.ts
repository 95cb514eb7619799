import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A response whose body is not read until requested. */
export interface PausedReader {
  readonly status: number;
  readonly response: IncomingMessage;
  /** Reads everything; returns the body and whether it was complete. */
  finish(): Promise<{ text: string; complete: boolean }>;
  abandon(): void;
}

/** The address and the caller: a test's API, or another organization's admin at the same address. */
export interface ReadAs {
  readonly origin: string;
  readonly organization: { readonly admin: { readonly token: string } };
}

/** Starts to read a response on a separate connection, and pauses after the headers. */
export function startReading({ origin, organization }: ReadAs, path = '/api/v2/library/tasks/'): Promise<PausedReader> {
  const { hostname, port } = new URL(origin);
  const headers = { Authorization: `Token ${organization.admin.token}`, Connection: 'close' };
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request({ hostname, port, path, headers, agent: false }, (response) => {
      response.pause();
      const finish = async (): Promise<{ text: string; complete: boolean }> => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.resume();
        const closed = new Promise((done) => response.once('close', () => done(true)));
        if (!(await Promise.race([closed, sleep(60_000, false, { ref: false })])))
          throw new Error('The response did not end within 60 s.');
        return { text: Buffer.concat(chunks).toString('utf8'), complete: response.complete };
      };
      response.on('error', () => undefined);
      resolve({ status: response.statusCode ?? 0, response, finish, abandon: () => sent.destroy() });
    });
    sent.once('error', reject);
    sent.end();
  });
}
