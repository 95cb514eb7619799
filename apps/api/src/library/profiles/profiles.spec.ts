import { useTestApi } from '#test/support/api.js';
import { rowsOf } from '#test/support/client.js';
import type { List } from '#test/support/resources.js';

interface Profile {
  id: string;
  default: boolean;
  active: boolean;
  answers: string[];
}

const test = useTestApi();

describe('Profiles', () => {
  it('include built-in ones with survey answers, exactly one of which is the default', async () => {
    const profiles = await rowsOf(test.api.get<List<Profile>>('/profiles/'));
    expect(profiles.length).toBeGreaterThanOrEqual(5);
    expect(profiles.filter((profile) => profile.default)).toHaveLength(1);
    const answers = await rowsOf(test.api.get<List<{ id: string }>>('/library/answers/'));
    const known = new Set(answers.map(({ id }) => id));
    for (const profile of profiles) {
      expect(profile.active).toBe(true);
      expect(profile.answers.length).toBeGreaterThan(5);
      expect(profile.answers.filter((id) => !known.has(id))).toEqual([]);
    }
  });

  it('have one default per organization, even if an organization has a custom default', async () => {
    const other = await test.newOrganization();
    await test.database.query(
      `INSERT INTO profile (organization_id, number, name, is_default) VALUES ($1, 1, 'Ours', true)`,
      [other.id],
    );
    const defaults = async (api: typeof test.api): Promise<string[]> =>
      (await rowsOf(api.get<List<Profile>>('/profiles/', { default: 'true' }))).map(({ id }) => id);
    expect([await defaults(test.api), await defaults(other.api)]).toEqual([['P1'], ['CP1']]);
  });
});
