import compression from 'compression';
import type { Request, Response } from 'express';

/** Smaller answers fit into one or two packets anyway. */
const THRESHOLD_BYTES = 2048;

/** Answers with tokens: how well they compress could reveal what is in them. */
const SECRET_PATH = /\/(tokens|auth-token)\b/;

const COMPRESSED = /^(application\/(json|javascript)|text\/(css|html|javascript))\b/;

const UNCOMPRESSED = 'uncompressed';

/** Sends an answer as it is: what begins before its end is known, and files that can be asked for in ranges. */
export function sendUncompressed({ locals }: Response): void {
  locals[UNCOMPRESSED] = true;
}

/** Compresses JSON, and the pages of the documentation, for clients that say that they read it. */
export const compressed = compression({
  threshold: THRESHOLD_BYTES,
  filter: (request: Request, response: Response) =>
    response.locals[UNCOMPRESSED] !== true &&
    !SECRET_PATH.test(request.path) &&
    COMPRESSED.test(String(response.getHeader('Content-Type') ?? '')),
});
