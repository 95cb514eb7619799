import type { OpenAPIObject } from '@nestjs/swagger';
import { REMOVED_TAG } from '../http/openapi/tags.js';

interface RemovedPath {
  /** Path below `/api/v2/`, as written in the document. */
  readonly path: string;
  /** The path that replaces it, in the same form. */
  readonly successor: string;
  /** Matches the path of a request. */
  readonly matches: RegExp;
}

const removed = (path: string, successor: string): RemovedPath => ({
  path,
  successor,
  matches: new RegExp(`^/api/v2/${path.replace(/\{\w+\}/g, '[^/]+')}(/|$)`),
});

/** Endpoints of earlier releases of the API. They and all paths below them return 410. */
export const REMOVED: readonly RemovedPath[] = [
  removed('library/jobs/export', 'library/export'),
  removed('library/jobs/import', 'library/import'),
  removed('activities', 'activity-stream'),
  removed('users/me/activities', 'users/me/activity-stream'),
  removed('projects/{id}/activities', 'projects/{id}/activity-stream'),
];

export const removedMessage = ({ successor }: RemovedPath): string =>
  `This endpoint was removed. Use /api/v2/${successor}/ instead.`;

/** Adds them to the document, as deprecated. All methods give the same response. */
export function documentRemovedPaths(document: OpenAPIObject): void {
  for (const one of REMOVED) {
    const parameters = [...one.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path' as const,
      required: true,
      description: 'Any id.',
      schema: { type: 'string' as const },
    }));
    document.paths[`/api/v2/${one.path}/`] = {
      get: {
        operationId: `removed_${one.path.replaceAll(/\{\w+\}\//g, '').replaceAll(/\W+/g, '_')}`,
        tags: [REMOVED_TAG],
        summary: `Removed: use /api/v2/${one.successor}/`,
        description: `${removedMessage(one)} Other methods, and all paths below this one, return the same response.`,
        deprecated: true,
        security: [{ token: [] }],
        parameters,
        responses: {
          '410': {
            description: 'The endpoint was removed.',
            content: {
              'application/json': {
                schema: { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } },
                example: { detail: removedMessage(one) },
              },
            },
          },
        },
      },
    };
  }
}
