import type { NextFunction, Request, Response } from 'express';
import type { ApiRequest } from '../http/request.js';
import type { McpEndpoint } from './mcp-endpoint.service.js';

/** Serves `/mcp`. It is no controller: its messages are those of the protocol, and no part of the API's document. */
export function serveMcp(router: { post(path: string, handler: unknown): unknown }, endpoint: McpEndpoint): void {
  router.post('/mcp', async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    try {
      await endpoint.handle(request as unknown as ApiRequest, response);
    } catch (error) {
      next(error);
    }
  });
}
