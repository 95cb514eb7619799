import { Controller, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiTags } from '@nestjs/swagger';
import { runningVersion } from '#platform/version.js';
import { object, type Schema, string } from '#query/schema.js';
import { Public } from '../access/access.decorator.js';
import type { ApiRequest } from '../request.js';
import type { RoutingAdapter } from '../routes/routing-adapter.js';
import { Action } from '../routes/route.decorators.js';

const url = (example: string): Schema => string({ format: 'uri', example });

const RESPONSE = object({
  name: string({ example: 'Merlon' }),
  version: string({ example: '0.1.0' }),
  documentation: url('https://merlon.example.com/docs/'),
  openapi: url('https://merlon.example.com/openapi.json'),
  resources: {
    type: 'object',
    additionalProperties: url('https://merlon.example.com/api/v2/projects/'),
    description: 'The URL of each list by its path.',
  },
});

const BASE = '/api/v2/';

/** The first page for clients: what this service is, and where its parts are. */
@ApiTags('Index')
@Controller()
export class IndexController {
  constructor(private readonly host: HttpAdapterHost<RoutingAdapter>) {}

  @Action({
    method: 'GET',
    status: 200,
    responseSchema: RESPONSE,
    success: 'Name and version of the service, and the URLs of its documents and lists.',
    summary: 'Show the index of the API',
  })
  @Public()
  show(@Req() { origin }: ApiRequest) {
    const lists = this.host.httpAdapter.routes
      .declared()
      .filter(({ declaration, path, method }) => isTopLevelList(declaration.scope, path, method))
      .map(({ path }) => path.slice(BASE.length));
    return {
      name: 'Merlon',
      version: runningVersion(),
      documentation: `${origin}/docs/`,
      openapi: `${origin}/openapi.json`,
      resources: Object.fromEntries(lists.toSorted().map((path) => [path, `${origin}${BASE}${path}/`])),
    };
  }
}

const isTopLevelList = (scope: string | undefined, path: string, method: string): boolean =>
  scope === 'list' && method === 'GET' && path.startsWith(BASE) && !path.includes(':');
