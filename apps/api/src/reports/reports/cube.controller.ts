import { applyDecorators, Body, Controller, Get, HttpCode, Post, Query, UseFilters } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { JsonTooLarge, parseBoundedJson } from '#platform/bounded-json.js';
import { InvalidQuery } from '#reporting/query-error-collector.js';
import { Access, type RequiredAccess } from '../../http/access/access.decorator.js';
import { InFamily, OnlyReads } from '../../http/access/family.decorator.js';
import { BodyContent } from '../../http/media/body-content.js';
import { Caller } from '../../http/request.js';
import { type RouteDeclaration, RouteMetadata } from '../../http/routes/route.decorators.js';
import { UNREADABLE_RESPONSES } from '../../http/routes/responses.js';
import { CubeErrorsFilter } from './cube-errors.filter.js';
import { cubeError, DRY_RUN_RESPONSE, LOAD_RESPONSE, META_RESPONSE, QUERY_EXAMPLE, SQL_RESPONSE } from './cube.dto.js';
import { ReportsService } from './reports.service.js';

const DECLARATION: RouteDeclaration = { items: [], handlerParameters: ['query'], heavy: true };

/**
 * The decorators of every route here: its token, errors in the format of Cube, and the declaration for reading bodies.
 */
const CubeRoute = (
  summary: string,
  success: string,
  responseSchema: object,
  required: RequiredAccess = {},
): MethodDecorator =>
  applyDecorators(
    Access({ ...required, reportToken: true }),
    RouteMetadata(DECLARATION),
    ApiOperation({ summary }),
    ApiResponse({ status: 200, description: success, content: { 'application/json': { schema: responseSchema } } }),
    ...[
      cubeError(400, 'The query is invalid or takes too long.', 'measures: measures[0]: "Task.x" does not exist.'),
      cubeError(403, 'The token or a permission is missing, or the token is invalid.', 'Invalid token'),
      cubeError(406, 'The `Accept` header excludes JSON.', 'Could not satisfy the request Accept header.'),
      cubeError(413, 'The body is too large.', 'The request body is larger than 5242880 bytes.'),
      cubeError(415, 'The body is not JSON.', 'Unsupported media type "text/plain" in request.'),
      cubeError(
        429,
        'Too many reports are running. Try again after `Retry-After`.',
        'Request was throttled. Expected available in 5 seconds.',
      ),
      cubeError(500, 'Internal server error.', 'Internal server error.'),
      cubeError(503, 'Reports are off.', 'Reports are off: the database has no role for them.'),
      ...UNREADABLE_RESPONSES,
    ].map((response) => ApiResponse(response)),
  );

const QueryParameter = ({ required }: { required: boolean }): MethodDecorator =>
  ApiQuery({
    name: 'query',
    required,
    description: 'A query as JSON.',
    schema: { type: 'string', example: JSON.stringify(QUERY_EXAMPLE) },
  });

/** Documents a query in the body, or in the URL as with `GET`. */
const QueryBody = (): MethodDecorator =>
  applyDecorators(
    QueryParameter({ required: false }),
    ApiBody({
      schema: {
        type: 'object',
        properties: {
          query: {
            type: 'object',
            additionalProperties: true,
            description: 'Can also be sent as JSON text.',
            example: QUERY_EXAMPLE,
          },
        },
      },
      required: false,
    }),
  );

/** The query of a `POST`: from the body, or else from the URL. */
function sent(body: BodyContent, parameter: unknown): unknown {
  const { query = parameter } = body.object();
  return typeof query === 'object' ? query : parsed(query);
}

/** Parses a query that is JSON text. */
function parsed(text: unknown): unknown {
  if (typeof text !== 'string') throw new InvalidQuery({ query: ['Send one query, as JSON.'] });
  try {
    return parseBoundedJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new InvalidQuery({ [error.key ?? 'query']: [error.message] });
    throw new InvalidQuery({ query: ['Must be valid JSON.'] });
  }
}

/** The published protocol of Cube, which report clients use. */
@ApiTags('Reports')
@UseFilters(CubeErrorsFilter)
@InFamily('reports')
@Controller('cubejs-api/v1')
export class CubeController {
  constructor(private readonly reports: ReportsService) {}

  @Get('load')
  @CubeRoute('Run a query', 'The rows of the query.', LOAD_RESPONSE)
  @QueryParameter({ required: true })
  load(@Caller() actor: Actor, @Query('query') query: unknown) {
    return this.reports.load(actor, parsed(query));
  }

  @OnlyReads()
  @Post('load')
  @HttpCode(200)
  @CubeRoute('Run a query that is too long for a URL', 'The rows of the query.', LOAD_RESPONSE)
  @QueryBody()
  loadBody(@Caller() actor: Actor, @Body() body: BodyContent, @Query('query') query: unknown) {
    return this.reports.load(actor, sent(body, query));
  }

  @Get('meta')
  @CubeRoute(
    'List cubes with their measures and dimensions',
    'The cubes, with names and types of their members.',
    META_RESPONSE,
  )
  meta() {
    return this.reports.meta();
  }

  @Get('sql')
  @CubeRoute('Show the SQL of a query', 'The SQL and its parameters.', SQL_RESPONSE, { superUser: true })
  @QueryParameter({ required: true })
  sql(@Caller() actor: Actor, @Query('query') query: unknown) {
    return this.reports.sql(actor, parsed(query));
  }

  @OnlyReads()
  @Post('sql')
  @HttpCode(200)
  @CubeRoute('Show the SQL of a query that is too long for a URL', 'The SQL and its parameters.', SQL_RESPONSE, {
    superUser: true,
  })
  @QueryBody()
  sqlBody(@Caller() actor: Actor, @Body() body: BodyContent, @Query('query') query: unknown) {
    return this.reports.sql(actor, sent(body, query));
  }

  @Get('dry-run')
  @CubeRoute(
    'Check a query without running it',
    'The query is valid. The body contains it in its normalized form.',
    DRY_RUN_RESPONSE,
  )
  @QueryParameter({ required: true })
  dryRun(@Caller() actor: Actor, @Query('query') query: unknown) {
    return this.reports.dryRun(actor, parsed(query));
  }

  @OnlyReads()
  @Post('dry-run')
  @HttpCode(200)
  @CubeRoute(
    'Check a long query without running it',
    'The query is valid. The body contains it in its normalized form.',
    DRY_RUN_RESPONSE,
  )
  @QueryBody()
  dryRunBody(@Caller() actor: Actor, @Body() body: BodyContent, @Query('query') query: unknown) {
    return this.reports.dryRun(actor, sent(body, query));
  }
}
