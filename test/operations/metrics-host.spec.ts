import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { useTestApi } from '../support/api.js';
import { freePort } from '../support/free-port.js';
import { startTestWorker } from '../support/worker.js';

const test = useTestApi();

/** The status of an answer to a request with a `Host` of its own, which `fetch` does not send. */
async function statusFor(origin: string, host: string): Promise<number | undefined> {
  const [response] = (await once(get(`${origin}/metrics`, { headers: { host } }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('/metrics without METRICS_TOKEN', () => {
  it('returns 404 for a Host that is not local, from the API and from the worker', async () => {
    const port = await freePort();
    const worker = await startTestWorker({
      DATABASE_URL: test.database.applicationUrl,
      WORKER_PORT: String(port),
    });
    try {
      for (const origin of [test.origin, `http://127.0.0.1:${port}`]) {
        expect(await statusFor(origin, 'attacker.example')).toBe(404);
        expect(await statusFor(origin, `attacker.example:${port}`)).toBe(404);
        expect(await statusFor(origin, 'localhost')).toBe(200);
        expect(await statusFor(origin, '[::1]:9')).toBe(200);
      }
    } finally {
      await worker.stop();
    }
  });
});
