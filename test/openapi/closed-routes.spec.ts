import { CountermeasuresController } from '../../apps/api/src/library/countermeasures/countermeasures.controller.js';
import { REQUIRED_ACCESS } from '../../apps/api/src/http/access/access.decorator.js';
import { startTestApi } from '../support/api.js';

describe('A route that does not say who may use it', () => {
  it('keeps the API from starting, which names it', async () => {
    const handler = Object.getOwnPropertyDescriptor(CountermeasuresController.prototype, 'list')?.value as object;
    const demand: unknown = Reflect.getMetadata(REQUIRED_ACCESS, handler);
    expect(demand).toBeDefined();
    Reflect.deleteMetadata(REQUIRED_ACCESS, handler);
    try {
      await expect(startTestApi().then((api) => api.close())).rejects.toThrow(/CountermeasuresController\.list/);
    } finally {
      Reflect.defineMetadata(REQUIRED_ACCESS, demand, handler);
    }
    await (await startTestApi()).close();
  });
});
