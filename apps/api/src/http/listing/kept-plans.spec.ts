import { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { countermeasureProjection } from '#domain/library/countermeasure/countermeasure.projection.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { plainItemQuery } from '#query/parameters.js';
import { Reader } from '#query/reader.js';

const test = useTestApi();

const ITEM = '/library/tasks/T1/';

/** Statements for one item whose plans a connection keeps, once it has read a countermeasure in its usual form. */
const keptForItems = (): Promise<string[]> =>
  inTransaction(test.running.app.get(EntityManager), async (em) => {
    const database = em.getKysely();
    const viewer = { id: test.organization.admin.id, organizationId: test.organization.id };
    await test.running.app.get(Reader).item(database, countermeasureProjection, viewer, 'T1', plainItemQuery());
    const { rows } = await sql<{ statement: string }>`
      SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%row_to_json(r)%'`.execute(database);
    return rows.map(({ statement }) => statement);
  });

describe('The plan of reading an item', () => {
  it('is kept for the usual form, and for none that a client has chosen', async () => {
    const fields = Object.keys(await bodyOf(test.api.get<object>(ITEM))).filter((name) => name !== 'id');
    for (let choice = 1; choice <= 70; choice += 1) {
      const excluded = fields.filter((_, place) => Math.floor(choice / 2 ** place) % 2);
      await bodyOf(test.api.get(`${ITEM}?exclude=${excluded.join(',')}`));
    }
    await bodyOf(test.api.get(`${ITEM}?include=tags`));
    await bodyOf(test.api.get(`${ITEM}?expand=phase`));
    expect(await keptForItems()).toHaveLength(1);
  });
});
