import type { ApiResponseOptions } from '@nestjs/swagger';

export const QUERY_EXAMPLE = {
  schema: 'library',
  measures: ['LibraryTask.count'],
  dimensions: ['LibraryTask.priority'],
  limit: 10,
};

const object = { type: 'object', additionalProperties: true };

/** Documentation of an error in the format of Cube. */
export const cubeError = (status: number, description: string, example: string): ApiResponseOptions => ({
  status,
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { type: { type: 'string' }, error: { type: 'string' } },
        required: ['type', 'error'],
        example: { type: status < 500 ? 'UserError' : 'Internal Server Error', error: example },
      },
    },
  },
});

const annotation = {
  type: 'object',
  description: 'Annotations by member.',
  additionalProperties: {
    type: 'object',
    properties: {
      title: { type: 'string', example: 'Library countermeasure Priority' },
      shortTitle: { type: 'string', example: 'Priority' },
      type: { type: 'string', example: 'number' },
      format: { type: 'string', example: 'percent' },
      granularity: { type: 'string', example: 'month' },
    },
    required: ['title', 'shortTitle', 'type'],
  },
};

const single = {
  title: 'QueryResult',
  type: 'object',
  properties: {
    query: { ...object, description: 'The normalized query.', example: QUERY_EXAMPLE },
    data: {
      type: 'array',
      description: 'Rows keyed by member. Numbers are strings; times have no time zone.',
      items: { ...object, example: { 'LibraryTask.priority': '8', 'LibraryTask.count': '21' } },
    },
    annotation: {
      type: 'object',
      properties: { measures: annotation, dimensions: annotation, segments: object, timeDimensions: annotation },
      required: ['measures', 'dimensions', 'segments', 'timeDimensions'],
    },
    lastRefreshTime: { type: 'string', example: '2026-03-04T15:43:51.615Z' },
    total: {
      type: 'integer',
      description: 'The number of rows without the limit, if `total` was requested.',
      example: 10,
    },
    truncated: { type: 'boolean', description: 'Whether there were more rows than the limit.', example: false },
  },
  required: ['query', 'data', 'annotation', 'lastRefreshTime', 'truncated'],
};

/** Schema of one result, or of one for each range that the query compares. */
export const LOAD_RESPONSE = {
  anyOf: [
    single,
    {
      type: 'object',
      properties: {
        queryType: { type: 'string', enum: ['compareDateRangeQuery'] },
        results: { type: 'array', items: single },
      },
      required: ['queryType', 'results'],
    },
  ],
};

const member = {
  type: 'object',
  properties: {
    name: { type: 'string', example: 'LibraryTask.priority' },
    title: { type: 'string', example: 'Library countermeasure Priority' },
    shortTitle: { type: 'string', example: 'Priority' },
    type: { type: 'string', enum: ['string', 'number', 'boolean', 'time'], example: 'number' },
    aggType: { type: 'string', example: 'count' },
    format: { type: 'string', example: 'percent' },
    description: { type: 'string', example: 'Countermeasures of priority 7 to 10.' },
  },
  required: ['name', 'title', 'shortTitle', 'type'],
};

export const META_RESPONSE = {
  type: 'object',
  properties: {
    cubes: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', example: 'LibraryTask' },
          title: { type: 'string', example: 'Library countermeasure' },
          measures: { type: 'array', items: member },
          dimensions: { type: 'array', items: member },
          segments: { type: 'array', items: object },
        },
        required: ['name', 'title', 'measures', 'dimensions', 'segments'],
      },
    },
  },
  required: ['cubes'],
};

export const SQL_RESPONSE = {
  type: 'object',
  properties: {
    sql: {
      type: 'object',
      properties: {
        sql: {
          type: 'array',
          description: 'The SQL statement and its list of parameters.',
          items: {},
          example: ['SELECT 1', []],
        },
        order: { type: 'array', items: object },
      },
      required: ['sql', 'order'],
    },
  },
  required: ['sql'],
};

export const DRY_RUN_RESPONSE = {
  type: 'object',
  properties: {
    queryType: { type: 'string', enum: ['regularQuery', 'compareDateRangeQuery'] },
    normalizedQueries: { type: 'array', items: { ...object, example: QUERY_EXAMPLE } },
  },
  required: ['queryType', 'normalizedQueries'],
};
