import { CountermeasuresController } from '../../apps/api/src/library/countermeasures/countermeasures.controller.js';
import { ProjectActivitiesController } from '../../apps/api/src/activity/activities/project-activities.controller.js';
import { TokensController } from '../../apps/api/src/access/tokens/tokens.controller.js';
import { AccessMetadata } from '../../apps/api/src/http/access/access.decorator.js';
import { FamilyMetadata } from '../../apps/api/src/http/access/family.decorator.js';
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

describe('A controller', () => {
  const rejection = (): Promise<string> =>
    startTestApi().then(
      async (api) => {
        await api.close();
        return 'It starts.';
      },
      (error: unknown) => String(error),
    );

  /** Runs `action` while a controller declares another family. */
  async function withFamily(controller: object, family: string | undefined, action: () => Promise<void>) {
    const declared: unknown = Reflect.getMetadata(FamilyMetadata.KEY, controller);
    expect(declared).toBeDefined();
    Reflect.defineMetadata(FamilyMetadata.KEY, family, controller);
    try {
      await action();
    } finally {
      Reflect.defineMetadata(FamilyMetadata.KEY, declared, controller);
    }
  }

  it('prevents the API from starting without a family of scopes', () =>
    withFamily(ProjectActivitiesController, undefined, async () => {
      expect(await rejection()).toContain('ProjectActivitiesController.list has no @InFamily');
    }));

  it('prevents the API from starting if it writes in a family that has no scope for that', () =>
    withFamily(TokensController, 'activity', async () => {
      expect(await rejection()).toContain('TokensController.create writes, but the family "activity" has no scope');
    }));
});
