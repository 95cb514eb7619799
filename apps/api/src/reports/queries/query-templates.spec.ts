import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import type { Loaded, Query } from '#test/support/reports.js';

const test = useTestApi();

interface Template {
  readonly id: string;
  readonly title: string;
  readonly chart: string;
}

const templates = (): Promise<Template[]> => rowsOf(test.api.get<{ results: Template[] }>('/queries/templates/'));

describe('Starter reports', () => {
  it('are 15, and each can be saved, run and drawn', async () => {
    const found = await templates();
    expect(found).toHaveLength(15);
    for (const { id, title, chart } of found) {
      const saved = await bodyOf(test.api.post<Query>('/queries/from-template/', { template: id }), 201);
      expect(saved).toMatchObject({ title, chart });
      expect(await bodyOf(test.api.get<Loaded>(`/queries/${saved.id}/run/`))).toMatchObject({ truncated: false });
      expect([id, (await test.api.get(`/queries/${saved.id}/chart/`)).status]).toEqual([id, 200]);
    }
  }, 120_000);

  it('can be given another title; an unknown one is a 400, and saving takes edit_custom_reports', async () => {
    const body = { template: 'top-weaknesses', title: 'Ours' };
    expect(await bodyOf(test.api.post('/queries/from-template/', body), 201)).toMatchObject({ title: 'Ours' });
    expect(await bodyOf(test.api.post('/queries/from-template/', { template: 'bogus' }), 400)).toHaveProperty(
      'template',
    );
    const { api } = await test.newUser();
    expect(await bodyOf(api.post('/queries/from-template/', body), 403)).toHaveProperty('detail');
  });
});
