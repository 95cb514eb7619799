import { SetMetadata } from '@nestjs/common';
import compression from 'compression';
import type { Request, Response } from 'express';

/** Smaller answers fit into one or two packets anyway. */
const THRESHOLD_BYTES = 2048;

const COMPRESSED = /^(application\/(json|javascript)|text\/(css|html|javascript))\b/;

const UNCOMPRESSED = 'uncompressed';

/** Sends an answer as it is: what begins before its end is known, and files that can be asked for in ranges. */
export function sendUncompressed({ locals }: Response): void {
  locals[UNCOMPRESSED] = true;
}

export const SECRET_ANSWERS = Symbol('secret answers');

/**
 * Marks a controller or a route whose answers can hold a token. They are sent uncompressed, also within a composite
 * answer: how well an answer compresses could reveal what is in it.
 */
export const SecretAnswers = () => SetMetadata(SECRET_ANSWERS, true);

/** Compresses JSON, and the pages of the documentation, for clients that say that they read it. */
export const compressed = compression({
  threshold: THRESHOLD_BYTES,
  filter: (_request: Request, response: Response) =>
    response.locals[UNCOMPRESSED] !== true && COMPRESSED.test(String(response.getHeader('Content-Type') ?? '')),
});
