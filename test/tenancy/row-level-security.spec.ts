import { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import type { Actor } from '#domain/kernel/actor.js';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { operatorOf } from '#domain/kernel/operator.js';
import { ORGANIZATION_ROLE } from '#domain/kernel/schema/policies.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { countermeasureProjection } from '#domain/library/countermeasure/countermeasure.projection.js';
import { removeCountermeasure } from '#domain/library/countermeasure/countermeasure.commands.js';
import { removeProject } from '#domain/projects/project/project.commands.js';
import { projectProjection } from '#domain/projects/project/project.projection.js';
import { DEFAULT_ITEM_QUERY } from '#query/parameters.js';
import type { Projection } from '#query/projection.js';
import { Reader } from '#query/reader.js';
import { changesNothing, fingerprint } from '../support/records.js';
import { startTwoOrganizations, type TwoOrganizations } from './two-organizations.js';

/** Tables whose rows belong to no organization. Every other one has policies. */
const SHARED = [
  'activity_hour_horizon',
  'capec',
  'category',
  'component_icon',
  'cwe',
  'installed_token',
  'library_release',
  'rate_limit',
  'release_change',
  'setup_link',
  'task_status',
  'threat_framework',
  'threat_framework_entry',
];
/** Tables that the application only reads: it may not write to them, whatever policies say. */
const READ_ONLY = ['catalog_import'];
/** An organization that there is not. */
const NOBODY = { organizationId: 999_999_999 };

const UNBOUND = /row-level security: no organization is bound/;
const REJECTED = /row-level security/;

let both: TwoOrganizations;
let tables: { name: string; owned: boolean; column: string }[];

beforeAll(async () => {
  both = await startTwoOrganizations(() => Promise.resolve());
  tables = await both.test.database.query(
    `SELECT c.relname AS name, bool_or(a.attname = 'organization_id') AS owned,
       (array_agg(a.attname ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '' AND a.attidentity = ''))[1] AS column
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT LIKE 'mikro_orm%'
       AND relname <> ALL ($1) GROUP BY 1 ORDER BY 1`,
    [SHARED],
  );
}, 300_000);
afterAll(() => both.close());

const em = (): EntityManager => both.test.running.app.get(EntityManager);
const scope = (): { organizationId: number } => ({ organizationId: both.caller.test.organization.id });
const theirs = (): Actor => operatorOf(both.stranger.test.organization.id);

/** Runs a statement on every table, and undoes it; returns what came of it by table. */
async function onEachTable(
  run: (work: (em: EntityManager) => Promise<void>) => Promise<void>,
  statement: (table: (typeof tables)[number]) => ReturnType<typeof sql>,
): Promise<Record<string, bigint | string>> {
  const outcomes: Record<string, bigint | string> = {};
  for (const table of tables.filter(({ name }) => !READ_ONLY.includes(name))) {
    const undo = new Error('undone');
    await run(async (bound) => {
      const { numAffectedRows } = await statement(table).execute(bound.getKysely());
      outcomes[table.name] = numAffectedRows ?? -1n;
      throw undo;
    }).catch((error: unknown) => {
      if (error !== undo) outcomes[table.name] = String(error);
    });
  }
  return outcomes;
}

const unchanged = ({ name, column }: { name: string; column: string }) =>
  sql`UPDATE ${sql.table(name)} SET ${sql.ref(column)} = ${sql.ref(column)}`;
const emptied = ({ name }: { name: string }) => sql`DELETE FROM ${sql.table(name)}`;

describe('Row-level security', () => {
  it('is forced on every table with rows of organizations', async () => {
    const forms = await both.test.database.query<{ name: string; policies: string[] }>(
      `SELECT relname AS name, array(SELECT policyname::text FROM pg_policies WHERE tablename = relname ORDER BY 1)
         AS policies
       FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
         AND relname NOT LIKE 'mikro_orm%' AND relrowsecurity AND relforcerowsecurity ORDER BY 1`,
    );
    expect(forms.map(({ name }) => name)).toEqual(tables.map(({ name }) => name));
    for (const { name, policies } of forms) {
      const owned =
        ['organization', 'api_token', 'user_session', 'invitation'].includes(name) ||
        tables.some((table) => table.name === name && table.owned);
      expect([name, policies]).toEqual([
        name,
        ['delete', 'insert', 'read', ...(owned ? ['read_bound'] : []), 'update'],
      ]);
    }
  });

  it('hides rows of other organizations from a transaction, in every table with organization_id', async () => {
    const counts: Record<string, number> = {};
    const there: string[] = [];
    await inTransaction(em(), scope(), async (bound) => {
      for (const { name } of tables.filter(({ owned }) => owned)) {
        const { rows } = await sql<{ count: number }>`SELECT count(*)::integer AS count FROM ${sql.table(name)}
          WHERE organization_id <> ${scope().organizationId}`.execute(bound.getKysely());
        counts[name] = rows[0]?.count ?? -1;
      }
    });
    for (const { name } of tables.filter(({ owned }) => owned)) {
      const [row] = await both.test.database.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM ${name} WHERE organization_id = $1`,
        [theirs().organizationId],
      );
      if (row?.count) there.push(name);
    }
    expect(Object.entries(counts).filter(([, count]) => count !== 0)).toEqual([]);
    // It would also hold where there is nothing to see.
    expect(there.length).toBeGreaterThan(40);
  });

  /** A projection that has lost the condition on the organization. */
  const withoutTenant = (projection: Projection, table: string): Projection => ({
    ...projection,
    source: () => [{ table: sql.table(table), where: sql`true` }],
  });

  it.each([
    ['countermeasures', countermeasureProjection, 'countermeasure_version', 'item_id'],
    ['projects', projectProjection, 'project', 'id'],
  ] as const)(
    'hides %s of other organizations from a projection without tenant condition, in a transaction',
    async (_, projection, table, key) => {
      const viewer = { ...operatorOf(scope().organizationId), may: () => true };
      const [row] = await both.test.database.query<{ id: string }>(
        `SELECT ${key} AS id FROM ${table} WHERE organization_id = $1 AND ${key}::text ~ '\\d{7}' LIMIT 1`,
        [theirs().organizationId],
      );
      const read = async (session: EntityManager): Promise<string | null> => {
        const reader = both.test.running.app.get(Reader);
        const declaration = withoutTenant(projection, table);
        const item = await reader.item(session.getKysely(), declaration, viewer, row?.id ?? '', DEFAULT_ITEM_QUERY);
        return item && item.text;
      };
      // What is read outside of a transaction is not covered: docs/adr/0039-row-level-security.md.
      expect(await read(em().fork())).toContain(row?.id);
      expect(await inTransaction(em(), scope(), read)).toBeNull();
    },
  );

  it.each([
    ['a project', removeProject, 'project', 'id'],
    ['a countermeasure', removeCountermeasure, 'countermeasure', 'item_id'],
  ] as const)('prevents a faulty command from removing %s of another organization', async (_, remove, table, key) => {
    const [row] = await both.test.database.query<{ id: string }>(
      `SELECT ${key} AS id FROM ${table} WHERE organization_id = $1 ORDER BY id LIMIT 1`,
      [theirs().organizationId],
    );
    // The fault: the command compares with their organization, as if it compared with none.
    const run = () => inTransaction(em(), scope(), (bound) => remove(bound, theirs(), row?.id ?? ''));
    await changesNothing(both.test, () => expect(run()).rejects.toThrow(NotFound));
  });

  it('prevents a transaction from updating and deleting rows of other organizations, in every table', async () => {
    const bound = (work: (em: EntityManager) => Promise<void>) => inTransaction(em(), NOBODY, work);
    const before = await fingerprint(both.test.database);
    for (const statement of [unchanged, emptied]) {
      const outcomes = await onEachTable(bound, statement);
      const changed = Object.entries(outcomes).filter(([, outcome]) => outcome !== 0n);
      // Built-in rows are seen, and an attempt to change them is an error.
      for (const [, outcome] of changed) expect(outcome).toMatch(REJECTED);
      expect(changed.length).toBeLessThan(tables.length / 2);
    }
    expect(await fingerprint(both.test.database)).toEqual(before);
  });

  it('hides tokens of other organizations from a transaction, although their rows name only a user', async () => {
    const seen = async (organization: { organizationId: number }): Promise<(string | undefined)[]> =>
      inTransaction(em(), organization, async (bound) => {
        const { rows } = await sql<{ owners: string[] }>`SELECT array(
          SELECT DISTINCT user_id::text FROM api_token) AS owners`.execute(bound.getKysely());
        return rows[0]?.owners ?? [];
      });
    for (const organization of [scope(), theirs()]) {
      const users = await both.test.database.query<{ id: string }>(
        'SELECT DISTINCT u.id FROM user_account u JOIN api_token t ON t.user_id = u.id WHERE u.organization_id = $1',
        [organization.organizationId],
      );
      expect(new Set(await seen(organization))).toEqual(new Set(users.map(({ id }) => id)));
      expect(users).not.toEqual([]);
    }
    expect(await seen(NOBODY)).toEqual([]);
  });

  it('rejects rows that a transaction creates for another organization', async () => {
    const organization = theirs().organizationId;
    const [group] = await both.test.database.query<{ id: string }>(
      'SELECT id FROM user_group WHERE organization_id = $1 LIMIT 1',
      [organization],
    );
    for (const statement of [
      sql`INSERT INTO id_counter (organization_id, kind, value) VALUES (${organization}, 'made', 1)`,
      sql`INSERT INTO id_counter (organization_id, kind, value) VALUES (${organization}, 'phase', 1)
        ON CONFLICT (organization_id, kind) DO UPDATE SET value = 1`,
      sql`INSERT INTO countermeasure (organization_id, number) VALUES (NULL, 999999)`,
      sql`INSERT INTO group_member (group_id, user_id)
        VALUES (${group?.id}::bigint, ${both.caller.test.organization.admin.id})`,
    ])
      await expect(
        inTransaction(em(), scope(), async (bound) => void (await statement.execute(bound.getKysely()))),
      ).rejects.toThrow(REJECTED);
  });

  it('rejects writes outside of a bound transaction, in every table with rows', async () => {
    const unbound = async (work: (em: EntityManager) => Promise<void>): Promise<void> => {
      const session = em().fork();
      await session.begin();
      try {
        await work(session);
      } finally {
        await session.rollback();
      }
    };
    const filled: string[] = [];
    for (const { name } of tables) {
      const rows = await both.test.database.query(`SELECT 1 FROM ${name} LIMIT 1`);
      if (rows.length && !READ_ONLY.includes(name)) filled.push(name);
    }
    for (const statement of [unchanged, emptied]) {
      const outcomes = await onEachTable(unbound, statement);
      for (const name of filled) expect([name, outcomes[name]]).toEqual([name, expect.stringMatching(UNBOUND)]);
    }
    expect(filled.length).toBeGreaterThan(60);
    await expect(
      sql`INSERT INTO id_counter (organization_id, kind, value) VALUES (${scope().organizationId}, 'made', 1)`.execute(
        em().fork().getKysely(),
      ),
    ).rejects.toThrow(UNBOUND);
  });
});

describe('A transaction across organizations', () => {
  it('writes to rows of all organizations and keeps the role of the connection', async () => {
    const undo = new Error('undone');
    await changesNothing(both.test, () =>
      expect(
        acrossOrganizations(em(), 'sweep what is over', async (session) => {
          const { rows } = await sql<{ id: number }>`
            UPDATE organization SET name = name RETURNING id, current_user AS "user"`.execute(session.getKysely());
          expect(rows).toEqual(
            expect.arrayContaining(
              [scope(), theirs()].map(({ organizationId }) =>
                expect.objectContaining({ id: organizationId, user: expect.not.stringMatching(ORGANIZATION_ROLE) }),
              ),
            ),
          );
          throw undo;
        }),
      ).rejects.toBe(undo),
    );
  });

  it('is rejected within a transaction bound to one organization, and so is binding to another one', async () => {
    const nested = (session: EntityManager) =>
      acrossOrganizations(session, 'sweep what is over', () => Promise.resolve());
    await expect(inTransaction(em(), scope(), nested)).rejects.toThrow(/cannot work on every/);
    const other = (session: EntityManager) => inTransaction(session, theirs(), () => Promise.resolve());
    await expect(inTransaction(em(), scope(), other)).rejects.toThrow(/bound to organization/);
  });
});

describe('A database connection', () => {
  it('is bound to an organization only during a transaction, even if that fails', async () => {
    const state = sql<{ user: string; organization: string | null }>`SELECT current_user::text AS "user",
      nullif(current_setting('merlon.organization', true), '') AS organization`;
    const stateOf = async (session: EntityManager) => (await state.execute(session.getKysely())).rows[0];
    for (let round = 0; round < 20; round += 1) {
      const work = async (session: EntityManager): Promise<void> => {
        expect(await stateOf(session)).toEqual({
          user: ORGANIZATION_ROLE,
          organization: String(scope().organizationId),
        });
        if (round % 2) throw new Error('failed');
      };
      await inTransaction(em(), scope(), work).catch(() => undefined);
      expect(await stateOf(em().fork())).toEqual({ user: 'merlon_app', organization: null });
    }
  });
});
