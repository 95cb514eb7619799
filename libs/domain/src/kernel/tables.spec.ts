import { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { ormOptions } from '#orm';
import { cloneDatabase, type TestDatabase } from '#test/support/database.js';
import { Organization } from '../access/organization/organization.entity.js';
import { Attribute } from '../library/attribute/attribute.entity.js';
import { Phase } from '../library/phase/phase.entity.js';
import { equalsIgnoringCase, tables } from './tables.js';

let database: TestDatabase;
let orm: MikroORM;
beforeAll(async () => {
  database = await cloneDatabase();
  orm = await MikroORM.init(ormOptions({ url: database.url, poolSize: 1, timeZone: 'UTC' }));
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

const on = () => tables(orm.em.fork(), Organization, Attribute, Phase);

describe('The query builder for entity tables', () => {
  it('returns bigints as numbers, even aliased or in lists, and times in PostgreSQL format', async () => {
    const { id } = await on()
      .insertInto('organization')
      .values({ name: 'Ours' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { parent } = await on()
      .insertInto('attribute')
      .values({ organization_id: id, number: 1, name: 'Above' })
      .returning('id as parent')
      .executeTakeFirstOrThrow();
    const below = await on()
      .insertInto('attribute')
      .values({ organization_id: id, number: 2, name: 'Below', parent_id: parent, ancestors: [parent] })
      .returning(['ancestors', 'item_id', 'depth', 'created_at'])
      .executeTakeFirst();
    expect(below).toEqual({
      ancestors: [parent],
      item_id: 'CAT2',
      depth: 2,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/),
    });
    expect([typeof id, typeof parent]).toEqual(['number', 'number']);
    const lists = await sql<{ list: unknown }>`SELECT '{}'::bigint[] AS list UNION ALL SELECT '{1,NULL}'`.execute(on());
    expect(lists.rows).toEqual([{ list: [] }, { list: [1, null] }]);
  });

  it('finds texts regardless of case', async () => {
    const found = await on()
      .selectFrom('phase')
      .select((phase) => phase.fn.countAll<number>().as('count'))
      .where(equalsIgnoringCase('phase.slug', 'DEVELOPMENT'))
      .executeTakeFirst();
    expect(found).toEqual({ count: 1 });
  });

  // These mistakes fail to compile. If one does compile, `npm run types` reports the unused directive.
  it('rejects invalid tables, columns and types at compile time', () => {
    const wrong = [
      // @ts-expect-error -- No such table.
      () => on().selectFrom('nothing'),
      // @ts-expect-error -- A table whose entity was not named.
      () => on().selectFrom('project'),
      // @ts-expect-error -- No such column.
      () => on().selectFrom('phase').select('nothing'),
      // @ts-expect-error -- Another type.
      () => on().selectFrom('phase').where('id', '=', 'one'),
      // @ts-expect-error -- Columns that must be given are missing.
      () => on().insertInto('phase').values({ name: 'A phase' }),
    ];
    expect(wrong).toHaveLength(5);
  });
});
