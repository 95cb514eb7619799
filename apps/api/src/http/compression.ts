import { SetMetadata } from '@nestjs/common';
import compression from 'compression';
import type { Request, Response } from 'express';

/** Smaller responses fit into one or two packets anyway. */
const THRESHOLD_BYTES = 2048;

const COMPRESSED = /^(application\/(json|javascript)|text\/(css|html|javascript))\b/;

const UNCOMPRESSED = 'uncompressed';

/** Sends a response uncompressed: streams, whose end is not known when they begin, and files that support ranges. */
export function sendUncompressed({ locals }: Response): void {
  locals[UNCOMPRESSED] = true;
}

export const SECRET_RESPONSES = Symbol('secret responses');

/**
 * Marks a controller or a route whose responses may contain a token. They are sent uncompressed, also within a
 * composite response: the compression ratio could reveal their content.
 */
export const SecretResponses = () => SetMetadata(SECRET_RESPONSES, true);

/** Compresses JSON and the pages of the documentation for clients that accept it. */
export const compressed = compression({
  threshold: THRESHOLD_BYTES,
  filter: (_request: Request, response: Response) =>
    response.locals[UNCOMPRESSED] !== true && COMPRESSED.test(String(response.getHeader('Content-Type') ?? '')),
});
