import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { startTestApi, type TestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { cloneDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';

const REPORT = {
  title: 'Countermeasures',
  query: { schema: 'library', measures: ['LibraryTask.count'] },
  chart: 'number',
};

describe('A report whose database connection breaks', () => {
  let network: Server;
  let test: TestApi;
  /** The statement at which the connection breaks. */
  let breaksAt: string | undefined;
  let broken = 0;

  beforeAll(async () => {
    const database = await cloneDatabase();
    const url = new URL(database.applicationUrl);
    const { port, hostname } = url;
    network = createServer((api) => {
      const server = connect(Number(port), hostname);
      api.on('error', () => undefined).on('close', () => server.destroy());
      server.on('error', () => undefined).pipe(api);
      api.on('data', (chunk: Buffer) => {
        if (breaksAt === undefined || !chunk.includes(breaksAt)) server.write(chunk);
        else {
          broken += 1;
          api.destroy();
        }
      });
    }).listen(0, '127.0.0.1');
    await once(network, 'listening');
    url.port = String((network.address() as AddressInfo).port);
    test = await startTestApi({ DATABASE_READ_URL: url.href }, database);
  });
  afterAll(async () => {
    await test.close();
    network.close();
  });

  it.each([
    ['while it is being read', 'library_task', 503],
    ['after it has been read', 'COMMIT', 200],
  ])('does not affect the service and the next report: %s', async (_, at, status) => {
    const { id } = await bodyOf(test.api.post<{ id: number }>('/queries/', REPORT), 201);
    const run = () => test.expectingServerErrors(() => test.api.get(`/queries/${id}/run/`));
    expect((await run()).status).toBe(200);
    breaksAt = at;
    broken = 0;
    expect((await run()).status).toBe(status);
    await eventually(() => broken > 0);
    breaksAt = undefined;
    expect((await run()).status).toBe(200);
  });
});
