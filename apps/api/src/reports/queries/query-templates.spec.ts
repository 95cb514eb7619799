import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeProject } from '#test/support/projects.js';
import type { Loaded, Query } from '#test/support/reports.js';

const test = useTestApi();

interface Template {
  readonly id: string;
  readonly title: string;
  readonly chart: string;
}

const templates = (): Promise<Template[]> => rowsOf(test.api.get<{ results: Template[] }>('/queries/templates/'));

describe('Starter reports', () => {
  it('number 15, and each can be saved, run and drawn', async () => {
    const found = await templates();
    expect(found).toHaveLength(15);
    for (const { id, title, chart } of found) {
      const saved = await bodyOf(test.api.post<Query>('/queries/from-template/', { template: id }), 201);
      expect(saved).toMatchObject({ title, chart });
      expect(await bodyOf(test.api.get<Loaded>(`/queries/${saved.id}/run/`))).toMatchObject({ truncated: false });
      expect([id, (await test.api.get(`/queries/${saved.id}/chart/`)).status]).toEqual([id, 200]);
    }
  }, 120_000);

  it('can be run and drawn without being saved, with the result of the saved report', async () => {
    const saved = await bodyOf(test.api.post<Query>('/queries/from-template/', { template: 'top-weaknesses' }), 201);
    const dataOf = async (path: string, query = {}) => (await bodyOf(test.api.get<Loaded>(path, query))).data;
    const template = 'top-weaknesses';
    expect(await dataOf('/queries/templates/run/', { template })).toEqual(await dataOf(`/queries/${saved.id}/run/`));
    const file = await test.api.get('/queries/templates/run/', { template, format: 'csv' });
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+\.csv"$/);
    const chartOf = async (path: string, query = {}) => (await test.api.get(path, { ...query, theme: 'dark' })).text;
    expect(await chartOf('/queries/templates/chart/', { template })).toBe(await chartOf(`/queries/${saved.id}/chart/`));
  });

  it('require view_all_projects to be run, and return 400 for an unknown name', async () => {
    const { api } = await test.newUser();
    for (const path of ['/queries/templates/run/', '/queries/templates/chart/']) {
      expect(await bodyOf(api.get(path, { template: 'top-weaknesses' }), 403)).toHaveProperty('detail');
      expect(await bodyOf(test.api.get(path, { template: 'bogus' }), 400)).toHaveProperty('template');
    }
    expect((await api.get('/queries/templates/run/', { template: 'library-at-a-glance' })).status).toBe(200);
  });

  it('accept another title, return 400 for an unknown id and require edit_custom_reports', async () => {
    const body = { template: 'top-weaknesses', title: 'Ours' };
    expect(await bodyOf(test.api.post('/queries/from-template/', body), 201)).toMatchObject({ title: 'Ours' });
    expect(await bodyOf(test.api.post('/queries/from-template/', { template: 'bogus' }), 400)).toHaveProperty(
      'template',
    );
    const { api } = await test.newUser();
    expect(await bodyOf(api.post('/queries/from-template/', body), 403)).toHaveProperty('detail');
  });

  it('show two versions of a framework as two bars', async () => {
    const { organization, api } = test;
    await makeProject(test, { fields: { profile: 'P1' } });
    for (const version of ['1.0', '2.0'])
      await test.database.query(
        `WITH made AS (INSERT INTO regulation (organization_id, number, name, slug, version)
           VALUES ($1, $2, 'Ours', $3, $4) RETURNING id),
         section AS (INSERT INTO regulation_section (organization_id, regulation_id, number, code, title, ordinal)
           SELECT $1, id, $2, '1', 'All', 1 FROM made RETURNING id)
         INSERT INTO regulation_section_countermeasure (section_id, countermeasure_id)
           SELECT section.id, t.countermeasure_id FROM section, project_countermeasure t WHERE t.accepted`,
        [organization.id, Number(version), `ours-${version}`, version],
      );
    const { id } = await bodyOf(
      api.post<Query>('/queries/from-template/', { template: 'coverage-by-regulation' }),
      201,
    );
    const { text } = await api.get(`/queries/${id}/chart/`, { format: 'svg' });
    for (const label of ['Ours 1.0', 'Ours 2.0']) expect(text.split(`>${label}<`)).toHaveLength(2);
  });
});
