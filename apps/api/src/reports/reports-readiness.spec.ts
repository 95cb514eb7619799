import { EmbeddedEngine } from '#reporting/embedded-engine.js';
import { useTestApi } from '#test/support/api.js';
import { Reports } from './reports.js';

const test = useTestApi();

describe('GET /readyz', () => {
  const readiness = () => test.api.as(null).get(`${test.origin}/readyz`);

  it('returns 503 while reports are being prepared', async () => {
    // Preparation takes no time once a process has done it, so it is delayed here.
    const gate = Promise.withResolvers<void>();
    const { prepare } = Object.getOwnPropertyDescriptors(EmbeddedEngine.prototype);
    Object.defineProperty(EmbeddedEngine.prototype, 'prepare', { ...prepare, value: () => gate.promise });
    try {
      const preparing = test.running.app.get(Reports).prepare();
      await test.expectingServerErrors(async () => {
        const { status, body } = await readiness();
        expect([status, body]).toEqual([503, expect.objectContaining({ database: 'ok', reports: 'being prepared' })]);
      });
      gate.resolve();
      await preparing;
    } finally {
      Object.defineProperty(EmbeddedEngine.prototype, 'prepare', prepare);
    }
    expect((await readiness()).status).toBe(200);
  });
});
