import { get } from '../support/composites.js';
import { operationsOf } from '../support/document.js';
import { makeProject } from '../support/projects.js';
import { useForSuite } from '../support/use-for-suite.js';
import { fillPool } from '../property/pool.js';
import type { Pool } from '../property/values.js';
import { largestReads, LargestWrite, type Sent } from './largest-requests.js';
import { LoadedService } from './loaded-service.js';
import { errorsOf } from './plain-client.js';

const MAX_BODY_BYTES = 5_242_880;
/** Enough for the documented limits of a body's fields to be found one at a time. */
const MAX_ATTEMPTS = 8;
/** On an idle machine, each test takes a small part of this. */
const TIMEOUT = 300_000;

const loaded = useForSuite(() => LoadedService.start(), TIMEOUT);

const posted = (path: string, body: object): Sent => ({
  method: 'POST',
  path,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

describe('The largest legal requests keep the memory of the service and the delay of others within bounds:', () => {
  let pool: Pool;
  beforeAll(async () => {
    pool = await fillPool(loaded.test, await loaded.test.newUser({ superUser: true }));
  }, TIMEOUT);

  const operations = (...methods: string[]) =>
    operationsOf(loaded.test.document).filter(({ method }) => methods.includes(method));

  // Writes come first: they make the items that reads then return.
  it(
    'every POST and PATCH, with the largest body that it accepts',
    async () => {
      const accepted: string[] = [];
      const writes = operations('POST', 'PATCH');
      await loaded.withinBounds(
        writes.map((at, item) => async () => {
          const write = new LargestWrite(at, loaded.test.document, pool, MAX_BODY_BYTES);
          for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
            const outcome = await loaded.send(write.request(item));
            if (outcome.status < 300) accepted.push(`${at.method} ${at.path}`);
            if (outcome.status !== 400 || !write.shrink(errorsOf(outcome))) return;
          }
        }),
      );
      expect(accepted.length).toBeGreaterThan(writes.length / 2);
    },
    TIMEOUT,
  );

  it(
    'every GET, with all includes and expands, as HTML, unpaged and with the largest page',
    async () => {
      const accepted: string[] = [];
      const reads = operations('GET').flatMap((at) => largestReads(at, loaded.test.document, pool));
      await loaded.withinBounds(
        reads.map((request) => async () => {
          const { status } = await loaded.send(request);
          if (status < 400) accepted.push(request.path);
        }),
      );
      expect(accepted.length).toBeGreaterThan(reads.length * 0.8);
    },
    TIMEOUT,
  );
});

describe('Requests with far more derived data than text', () => {
  it(
    'that refer to 40 diagrams of 190,000 values each get an error in a composite request, before they are parsed',
    async () => {
      const { id: project } = await makeProject(loaded.test);
      // Diagrams of this size were stored before the limit of values of a diagram. Together they have less than the 32 MiB
      // that a composite request may read.
      await loaded.test.database.query(
        `WITH one AS MATERIALIZED (SELECT ('[' || repeat('{},', 189999) || '{}]')::jsonb AS diagram)
         INSERT INTO project_diagram (project_id, name, diagram_data)
         SELECT $1, 'x', diagram FROM one, generate_series(1, 40)`,
        [project],
      );
      const attack = posted('/api/v2/composite/', {
        composite_request: [
          get(`project-diagrams/?project=${project}`, 'all'),
          get('phases/?search=@{all.results[0].name}', 'b'),
        ],
      });
      const outcomes: number[] = [];
      await loaded.withinBounds(
        Array.from({ length: 3 }, () => async () => {
          const { status, start } = await loaded.send(attack);
          outcomes.push(status);
          // The first failed part is reported in a complete response.
          expect(start).toMatch(/"http_status_code":(?:413,.* 200000 values together|503)/);
        }),
      );
      expect(outcomes).toHaveLength(3);
    },
    TIMEOUT,
  );

  it(
    'get a 413 as reports if ten compared date ranges exceed the budget that one of them keeps',
    async () => {
      await loaded.test.database.query(
        `INSERT INTO trend_application (organization_id, day, application_id, application, business_unit, status)
         SELECT $1, current_date - n % 10, n, repeat('x', 3000), 'Unit', 'Complete' FROM generate_series(1, 50000) n`,
        [loaded.test.organization.id],
      );
      const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
      const ranges = Array.from({ length: 10 }, (_, ago) => [day(ago), day(ago)]);
      const report = (dates: object): Sent =>
        posted('/cubejs-api/v1/load', {
          query: {
            schema: 'trend_application',
            dimensions: ['TrendApplication.application'],
            timeDimensions: [{ dimension: 'TrendApplication.date', ...dates }],
            ungrouped: true,
            limit: 50_000,
          },
        });
      expect((await loaded.send(report({ dateRange: ranges[1] }))).status).toBe(200);
      expect((await loaded.send(report({ compareDateRange: ranges }))).status).toBe(413);
      const statuses: number[] = [];
      await loaded.withinBounds(
        Array.from({ length: 6 }, () => async () => {
          const { status } = await loaded.send(report({ compareDateRange: ranges }));
          statuses.push(status);
        }),
      );
      expect(statuses.filter((status) => ![413, 429, 503].includes(status))).toEqual([]);
    },
    TIMEOUT,
  );
});
