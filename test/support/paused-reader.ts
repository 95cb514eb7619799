import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** An answer whose reader takes nothing until told to. */
export interface PausedReader {
  readonly status: number;
  readonly response: IncomingMessage;
  /** Takes everything; reports what came and whether the end was an end. */
  finish(): Promise<{ text: string; complete: boolean }>;
  abandon(): void;
}

/** Where to read, and as whom: a test's API, or another organization's admin at the same address. */
export interface ReadAs {
  readonly origin: string;
  readonly organization: { readonly admin: { readonly token: string } };
}

/** Starts to read an answer on a connection of its own, and pauses after the headers. */
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
        if (!(await Promise.race([closed, sleep(15_000, false, { ref: false })])))
          throw new Error('The connection neither ends nor breaks.');
        return { text: Buffer.concat(chunks).toString('utf8'), complete: response.complete };
      };
      response.on('error', () => undefined);
      resolve({ status: response.statusCode ?? 0, response, finish, abandon: () => sent.destroy() });
    });
    sent.once('error', reject);
    sent.end();
  });
}
