import { AnswersController } from '../../apps/api/src/library/answers/answers.controller.js';
import { DEMAND } from '../../apps/api/src/http/access/access.decorator.js';
import { startTestApi } from '../support/api.js';

describe('A route that does not say who may use it', () => {
  it('keeps the API from starting, which names it', async () => {
    const handler = Object.getOwnPropertyDescriptor(AnswersController.prototype, 'list')?.value as object;
    const demand: unknown = Reflect.getMetadata(DEMAND, handler);
    expect(demand).toBeDefined();
    Reflect.deleteMetadata(DEMAND, handler);
    try {
      await expect(startTestApi().then((api) => api.close())).rejects.toThrow(/AnswersController\.list/);
    } finally {
      Reflect.defineMetadata(DEMAND, demand, handler);
    }
    await (await startTestApi()).close();
  });
});
