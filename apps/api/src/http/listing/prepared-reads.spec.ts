import { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { countermeasureProjection } from '#domain/library/countermeasure/countermeasure.projection.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { DEFAULT_ITEM_QUERY } from '#query/parameters.js';
import { Reader } from '#query/reader.js';

const test = useTestApi();

const ITEM = '/library/tasks/T1/';

/** Single-item statements whose plans a connection keeps, after it has read a countermeasure in its default form. */
const keptForItems = (): Promise<string[]> =>
  acrossOrganizations(test.running.app.get(EntityManager), 'operate the deployment', readAndFindPlans);

async function readAndFindPlans(em: EntityManager): Promise<string[]> {
  const database = em.getKysely();
  const scope = { id: test.organization.admin.id, organizationId: test.organization.id };
  await test.running.app.get(Reader).item(database, countermeasureProjection, scope, 'T1', DEFAULT_ITEM_QUERY);
  const { rows } = await sql<{ name: string }>`
      SELECT name FROM pg_prepared_statements WHERE statement LIKE '%row_to_json(r)%'`.execute(database);
  return rows.map(({ name }) => name);
}

describe('The prepared statement for reading an item', () => {
  it('is kept for the default form, but not for forms that a client chooses', async () => {
    const fields = Object.keys(await bodyOf(test.api.get<object>(ITEM))).filter((name) => name !== 'id');
    for (let choice = 1; choice <= 70; choice += 1) {
      const excluded = fields.filter((_, index) => Math.floor(choice / 2 ** index) % 2);
      await bodyOf(test.api.get(`${ITEM}?exclude=${excluded.join(',')}`));
    }
    await bodyOf(test.api.get(`${ITEM}?include=tags`));
    await bodyOf(test.api.get(`${ITEM}?expand=phase`));
    expect(await keptForItems()).toHaveLength(1);
  });

  it('is separate in a transaction of an organization, whose role has its own policies', async () => {
    const plans = await inTransaction(
      test.running.app.get(EntityManager),
      { organizationId: test.organization.id },
      readAndFindPlans,
    );
    expect(plans).toContainEqual(expect.stringMatching(/^merlon_\d+_merlon_organization$/));
    expect(await keptForItems()).toContainEqual(expect.stringMatching(/^merlon_\d+$/));
  });
});
