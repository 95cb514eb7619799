import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields } from '#test/support/client.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';

const test = useTestApi();

describe('Feature flags', () => {
  it('enables only Webhooks and ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS in a new organization', async () => {
    const { api } = await test.newOrganization();
    expect(await bodyOf(api.get('/flags/'))).toEqual({
      results: [{ name: 'ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS' }, { name: 'Webhooks' }],
    });
  });

  it('returns 201 for turning a flag on and 204 for turning it off, and lists only flags that are on', async () => {
    const names = async (): Promise<string> => JSON.stringify(await bodyOf(test.api.get('/flags/')));
    for (const name of ['DECISION_ENGINE', 'Webhooks', 'MY_OWN_1']) {
      expect(await bodyOf(test.api.post('/flags/', { name }), 201)).toEqual({ name });
      expect(await names()).toContain(name);
      await bodyOf(test.api.delete(`/flags/${name}/`), 204);
      expect(await names()).not.toContain(name);
    }
  });

  it('changes nothing if a flag is turned on again, and returns 404 for turning off a flag that is off', async () => {
    await bodyOf(test.api.post('/flags/', { name: 'AGAIN' }), 201);
    expect(await changesNothing(test, () => bodyOf(test.api.post('/flags/', { name: 'AGAIN' }), 201))).toEqual({
      name: 'AGAIN',
    });
    await bodyOf(test.api.delete('/flags/NEVER_ON/'), 404);
    await bodyOf(test.api.delete('/flags/never-valid/'), 404);
  });

  it.each(['', 'webhooks', 'WEBHOOKS!', 'Decision_Engine', 'WITH SPACE', 'ÄÖ', 'x'.repeat(101), null, 5, ['A']])(
    'rejects the name %j and changes nothing',
    async (name) => {
      expect(await changesNothing(test, () => rejectedFields(test.api.post('/flags/', { name })))).toEqual(['name']);
    },
  );

  it('keeps the flags of organizations separate', async () => {
    const other = await test.newOrganization();
    await bodyOf(test.api.post('/flags/', { name: 'ONLY_HERE' }), 201);
    await bodyOf(other.api.delete('/flags/ONLY_HERE/'), 404);
    await bodyOf(other.api.delete('/flags/Webhooks/'), 204);
    expect(JSON.stringify(await bodyOf((await test.newOrganization()).api.get('/flags/')))).toContain('Webhooks');
  });

  it('writes an admin-level activity for turning a flag on or off', async () => {
    const activities = await activitiesOf(test, async () => {
      await bodyOf(test.api.post('/flags/', { name: 'TOLD_OF' }), 201);
      await bodyOf(test.api.delete('/flags/TOLD_OF/'), 204);
    });
    expect(activities).toMatchObject([
      { name: 'ActivatedFlagActivity', data: { flag: 'TOLD_OF' }, icon: 'flag', log_level: 'admin' },
      { name: 'DeactivatedFlagActivity', data: { flag: 'TOLD_OF' } },
    ]);
  });
});
