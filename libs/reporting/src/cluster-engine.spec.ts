import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';
import { checkQuery } from './check-query.js';
import { ClusterEngine } from './cluster-engine.js';
import { EngineUnavailable, QueryFailed } from './engine.js';

const SECRET = 's'.repeat(40);

interface Asked {
  readonly path: string;
  readonly organization: unknown;
  readonly query: Record<string, unknown>;
}

type CubeReply = readonly [status: number, body: unknown];

/** A fake Cube: returns these responses in sequence, and repeats the last one. */
class FakeCube {
  readonly requests: Asked[] = [];
  answers: CubeReply[] = [];
  private readonly server: Server = createServer((request, response) => {
    void this.respond(request, response);
  });

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/cubejs-api`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, body] = await this.answer(request);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  private async answer(request: IncomingMessage): Promise<CubeReply> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { payload } = await jwtVerify(request.headers.authorization ?? '', new TextEncoder().encode(SECRET));
    const { query } = JSON.parse(Buffer.concat(chunks).toString()) as { query: Record<string, unknown> };
    this.requests.push({ path: request.url ?? '', organization: payload['organization'], query });
    return (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? [500, {}];
  }
}

const QUERY = {
  schema: 'application',
  measures: ['Task.count'],
  dimensions: ['Application.name', 'Project.archived'],
  timeDimensions: [{ dimension: 'Task.created', granularity: 'month', dateRange: ['2026-03-01', '2026-03-31'] }],
  filters: [{ member: 'Task.updated', operator: 'beforeDate', values: ['2026-04-01'] }],
  order: [['Task.count', 'desc']],
  limit: 2,
  timezone: 'Europe/Berlin',
};
const [query] = checkQuery(QUERY).queries;

describe('The engine for Cube deployments', () => {
  const cube = new FakeCube();
  let engine: ClusterEngine;

  beforeAll(async () => {
    engine = new ClusterEngine({ url: await cube.open(), secret: SECRET, timeoutSeconds: 2, pollMilliseconds: 10 });
  });
  beforeEach(() => cube.requests.splice(0));
  afterAll(() => cube.close());

  const row = {
    'Application.name': 'A',
    'Project.archived': true,
    'Task.count': 7,
    'Task.created.month': '2026-03-01T00:00:00.000',
  };

  it('sends the query in Cube format, without the schema, with the organization in the token', async () => {
    cube.answers = [[200, { data: [row], lastRefreshTime: '2026-11-21T12:00:00.000Z' }]];
    const found = await engine.load(query!, 42);
    expect(found).toEqual({
      rows: [{ ...row, 'Task.count': '7' }],
      truncated: false,
      refreshed: new Date('2026-11-21T12:00:00.000Z'),
    });
    expect(cube.requests).toEqual([
      {
        path: '/cubejs-api/v1/load',
        organization: 42,
        query: {
          measures: ['Task.count'],
          dimensions: ['Application.name', 'Project.archived'],
          timeDimensions: [{ dimension: 'Task.created', granularity: 'month' }],
          filters: [
            { member: 'Task.updated', operator: 'beforeDate', values: ['2026-04-01T00:00:00.000'] },
            {
              member: 'Task.created',
              operator: 'inDateRange',
              values: ['2026-03-01T00:00:00.000', '2026-03-31T23:59:59.999'],
            },
          ],
          order: [
            ['Task.count', 'desc'],
            ['Application.name', 'asc'],
            ['Project.archived', 'asc'],
            ['Task.created', 'asc'],
          ],
          timezone: 'Europe/Berlin',
          ungrouped: false,
          joinHints: expect.arrayContaining([['Application', 'Project', 'Task']]),
          limit: 3,
          offset: 0,
          total: false,
        },
      },
    ]);
  });

  it('repeats the request while Cube responds with "Continue wait"', async () => {
    cube.answers = [
      [200, { error: 'Continue wait' }],
      [200, { error: 'Continue wait' }],
      [200, { data: [row, row, row] }],
    ];
    expect(await engine.load(query!, 1)).toMatchObject({ rows: [{}, {}], truncated: true });
    expect(cube.requests).toHaveLength(3);
  });

  it('fails if Cube responds with "Continue wait" for too long', async () => {
    cube.answers = [[200, { error: 'Continue wait' }]];
    await expect(engine.load(query!, 1)).rejects.toThrow(QueryFailed);
  });

  it('reports the error of a query that Cube rejects', async () => {
    cube.answers = [[400, { error: 'Unknown member' }]];
    await expect(engine.load(query!, 1)).rejects.toThrow(new QueryFailed('Unknown member'));
  });

  const page = `<html>${' '.repeat(10_000)}</html>`;

  it.each([
    [403, { error: 'Invalid token' }, 'Cube responded with 403.', '{"error":"Invalid token"}'],
    [500, { error: 'x' }, 'Cube responded with 500.', '{"error":"x"}'],
    [502, page, 'Cube responded with 502, but not with a JSON object.', page.slice(0, 500)],
    [400, page, 'Cube responded with 400, but not with a JSON object.', page.slice(0, 500)],
    [200, 'no JSON', 'Cube responded with 200, but not with a JSON object.', 'no JSON'],
    [200, 'null', 'Cube responded with 200, but not with a JSON object.', 'null'],
  ])('reports that Cube is unavailable if it responds with %i %j, and why', async (status, body, message, cause) => {
    cube.answers = [[status, body]];
    const failure = await engine.load(query!, 1).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EngineUnavailable);
    expect(failure).toMatchObject({ message, cause: { message: cause } });
  });

  it('reports that Cube is unavailable if nothing listens at its URL', async () => {
    const nowhere = new ClusterEngine({ url: 'http://127.0.0.1:9/cubejs-api', secret: SECRET, timeoutSeconds: 2 });
    await expect(nowhere.load(query!, 1)).rejects.toThrow(EngineUnavailable);
  });

  it('returns the SQL that Cube generates', async () => {
    cube.answers = [[200, { sql: { sql: ['SELECT $1', ['x']] } }]];
    expect(await engine.sql(query!, 1)).toEqual({ text: 'SELECT $1', values: ['x'] });
  });
});

interface CubeConfiguration {
  queryRewrite(query: object, context: { securityContext: object | undefined }): { filters: object[] };
  contextToAppId(context: { securityContext: object }): string;
  preAggregationsSchema(context: { securityContext: object }): string;
}

describe('The built-in Cube configuration', () => {
  const configuration = createRequire(import.meta.url)('../../../docker/cube/cube.js') as CubeConfiguration;
  const securityContext = { organization: 42 };

  it('filters every cube in a query, at any depth, by the organization in the token', () => {
    const rewritten = {
      measures: ['Task.count'],
      timeDimensions: [{ dimension: 'Activity.date' }],
      filters: [
        { or: [{ and: [{ member: 'User.email', operator: 'set' }] }, { member: 'Project.id', operator: 'set' }] },
      ],
    };
    const { filters } = configuration.queryRewrite(rewritten, { securityContext });
    const added = (cube: string): object => ({
      or: [
        { member: `${cube}.organization`, operator: 'equals', values: ['42'] },
        { member: `${cube}.organization`, operator: 'notSet' },
      ],
    });
    expect(filters).toEqual([...rewritten.filters, ...['Task', 'Activity', 'User', 'Project'].map(added)]);
  });

  it('separates schemas and pre-aggregations by organization and rejects tokens without a valid one', () => {
    expect(configuration.contextToAppId({ securityContext })).toBe('merlon_42');
    expect(configuration.preAggregationsSchema({ securityContext })).toBe('pre_aggregations_42');
    for (const wrong of [undefined, {}, { organization: '1; DROP' }, { organization: 0 }, { organization: null }])
      expect(() => configuration.queryRewrite({}, { securityContext: wrong })).toThrow('names no organization');
  });
});
