import { CountermeasuresController } from '../../apps/api/src/library/countermeasures/countermeasures.controller.js';
import { AccessMetadata } from '../../apps/api/src/http/access/access.decorator.js';
import { startTestApi } from '../support/api.js';

describe('A route without access metadata', () => {
  it('prevents the API from starting, with an error that contains the handler', async () => {
    const handler = Object.getOwnPropertyDescriptor(CountermeasuresController.prototype, 'list')?.value as object;
    const demand: unknown = Reflect.getMetadata(AccessMetadata.KEY, handler);
    expect(demand).toBeDefined();
    Reflect.deleteMetadata(AccessMetadata.KEY, handler);
    try {
      await expect(startTestApi().then((api) => api.close())).rejects.toThrow(/CountermeasuresController\.list/);
    } finally {
      Reflect.defineMetadata(AccessMetadata.KEY, demand, handler);
    }
    await (await startTestApi()).close();
  });
});
