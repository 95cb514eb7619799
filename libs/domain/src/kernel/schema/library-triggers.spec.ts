import { Client } from 'pg';
import { COLUMNS } from '#test/support/deciding-columns.js';
import { useDomain } from '#test/support/domain.js';

const domain = useDomain();

/** Another value of a column of each type, which is not null. */
const OTHER_VALUES: Readonly<Record<string, (column: string) => string>> = {
  boolean: (column) => `NOT coalesce(${column}, false)`,
  integer: (column) => `coalesce(${column}, 0) + 1`,
  bigint: (column) => `coalesce(${column}, 0) + 1`,
  'bigint[]': (column) => `${column} || 1::bigint`,
  text: (column) => `coalesce(${column}, '') || 'x'`,
  'text[]': (column) => `${column} || 'x'::text`,
  date: (column) => `coalesce(${column}, current_date) + 1`,
  'timestamp with time zone': (column) => `coalesce(${column}, now()) + interval '1 day'`,
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

/** The tables with these triggers, and their columns that an update could change, as the database lists them. */
async function changeableColumns(): Promise<Record<string, Column[]>> {
  const rows = await domain.database.query<Column & { table: string }>(
    `SELECT watched.name AS table, quote_ident(a.attname) AS name, format_type(a.atttypid, NULL) AS type,
       NOT a.attnotnull AS nullable
     FROM (SELECT DISTINCT tgrelid AS id, tgrelid::regclass::text AS name FROM pg_trigger
       WHERE tgfoid::regproc::text LIKE 'note_change_of_%') watched
     LEFT JOIN pg_attribute a ON a.attrelid = watched.id AND a.attnum > 0 AND NOT a.attisdropped
       AND a.attgenerated = '' AND a.attidentity = '' AND a.attname <> 'organization_id'
       AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisprimary
         AND a.attnum = ANY (i.indkey))
     ORDER BY a.attname COLLATE "C"`,
  );
  const byTable = Object.groupBy(rows, (row) => row.table);
  return Object.fromEntries(
    Object.entries(byTable).map(([table, columns]) => [table, (columns ?? []).filter(({ name }) => name !== null)]),
  );
}

/** Tables without built-in rows. */
const BELONG_TO_ORGANIZATIONS = ['attribute_switch', 'feature_flag'];

const KINDS_WITH_CONDITIONS = ['weakness', 'countermeasure', 'threat'] as const;

/** The number of copied items. */
const COPY_NUMBER = 1_000_000;

/** A transaction that is rolled back, in which tables have no foreign keys and checks. */
class Sandbox {
  private constructor(
    private readonly client: Client,
    readonly table: string,
  ) {}

  static async open<Result>(table: string, work: (sandbox: Sandbox) => Promise<Result>): Promise<Result> {
    const client = new Client({ connectionString: domain.database.url });
    await client.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{ statement: string }>(
        `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS statement
         FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('c', 'f')`,
        [table],
      );
      for (const { statement } of rows) await client.query(statement);
      return await work(new Sandbox(client, table));
    } finally {
      await client.end();
    }
  }

  /** Runs a statement; returns the organizations whose library it changes. */
  async changed(statement: string, values: readonly unknown[] = []): Promise<number[]> {
    await this.client.query('DELETE FROM library_change');
    await this.client.query(statement, [...values]);
    const { rows } = await this.client.query<{ id: string }>(
      'SELECT DISTINCT organization_id AS id FROM library_change ORDER BY 1',
    );
    return rows.map(({ id }) => Number(id));
  }

  /** Does something, and undoes its changes. */
  async undone<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.client.query('SAVEPOINT before');
    const result = await work();
    await this.client.query('ROLLBACK TO before');
    return result;
  }

  /** Copies a row to organizations, or to the built-in library (null); returns what changed. */
  async copyTo(owners: readonly (number | null)[]): Promise<number[]> {
    const values = [owners];
    const owner = 'unnest($1::bigint[]) owner(id)';
    if (this.table === 'feature_flag')
      return this.changed(`INSERT INTO feature_flag SELECT owner.id, 'DECISION_ENGINE' FROM ${owner}`, values);
    if (this.table === 'attribute_switch')
      return this.changed(`INSERT INTO attribute_switch SELECT owner.id, 1, true FROM ${owner}`, values);
    const { rows } = await this.client.query<{ list: string }>(
      `SELECT string_agg(quote_ident(attname), ', ') AS list FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
      [this.table],
    );
    const list = rows[0]?.list;
    return this.changed(
      `INSERT INTO ${this.table} (${list}) OVERRIDING SYSTEM VALUE
       SELECT ${list} FROM (SELECT copy.* FROM (SELECT * FROM ${this.table} LIMIT 1) source, ${owner},
         jsonb_populate_record(NULL::${this.table}, to_jsonb(source) || jsonb_build_object('id', -coalesce(owner.id, 0),
           '${this.table.replace('_version', '_id')}', -coalesce(owner.id, 0), 'organization_id', owner.id,
           'number', ${COPY_NUMBER})) copy) copies`,
      values,
    );
  }

  /** Adds a match condition to a version of each organization, of a kind. */
  async addConditions(
    kind: (typeof KINDS_WITH_CONDITIONS)[number],
    owners: readonly (number | null)[],
  ): Promise<number[]> {
    const versions = `${kind}_version`;
    const { rows } = await this.client.query<{ id: string }>(
      `UPDATE ${versions} v SET organization_id = owner.id FROM unnest($1::bigint[]) WITH ORDINALITY owner(id, n)
       JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM ${versions}) taken USING (n)
       WHERE v.id = taken.id RETURNING v.id`,
      [owners],
    );
    return this.changed(
      `INSERT INTO match_condition (${kind}_version_id, item_id, db_id, position)
       SELECT id, gen_random_uuid(), -nextval('match_condition_id_seq'), 0 FROM unnest($1::bigint[]) version(id)`,
      [rows.map(({ id }) => id)],
    );
  }
}

const owners = async (): Promise<[number, number]> => [
  domain.actor.organizationId,
  (await domain.newOrganization()).organizationId,
];

/** Selects the rows that a sandbox has added, and those of one organization among them. */
function addedRows(table: string): { readonly all: string; readonly of: (owner: number) => string } {
  if (table !== 'match_condition')
    return { all: 'organization_id = ANY ($1)', of: (owner) => `organization_id = ${owner}` };
  const versions = KINDS_WITH_CONDITIONS.map(
    (kind) => `SELECT id FROM ${kind}_version WHERE id = ${kind}_version_id AND organization_id`,
  );
  const anyVersion = (matches: string) => versions.map((version) => `EXISTS (${version} ${matches})`).join(' OR ');
  return { all: `(${anyVersion('= ANY ($1)')})`, of: (owner) => `(${anyVersion(`= ${owner}`)})` };
}

describe('A change of the library', () => {
  it('is noticed by triggers on each table that decides the content of projects', async () => {
    const columns = await changeableColumns();
    expect(Object.keys(columns).sort()).toEqual(Object.keys(COLUMNS));
    const triggers = await domain.database.query<{ table: string; list: string }>(
      `SELECT tgrelid::regclass::text AS table, string_agg(tgname, ', ' ORDER BY tgname) AS list FROM pg_trigger
       WHERE tgfoid::regproc::text = 'note_change_of_' || tgrelid::regclass AND tgenabled = 'O' GROUP BY 1 ORDER BY 1`,
    );
    expect(triggers).toEqual(
      Object.keys(COLUMNS).map((table) => ({ table, list: 'note_delete, note_insert, note_update' })),
    );
  });
});

describe.each(Object.keys(COLUMNS))('A row of %s', (table) => {
  const kinds = table === 'match_condition' ? KINDS_WITH_CONDITIONS : [undefined];

  it('causes a refresh of projects if a deciding column changes, in any row, and otherwise not', async () => {
    const [one, two] = await owners();
    const { all, of } = addedRows(table);
    const columns = (await changeableColumns())[table] ?? [];
    for (const kind of kinds)
      await Sandbox.open(table, async (sandbox) => {
        await (kind ? sandbox.addConditions(kind, [one, two]) : sandbox.copyTo([one, two]));
        const update = (name: string, value: string, owner: number) =>
          sandbox.changed(
            `UPDATE ${table} SET ${name} = CASE WHEN ${of(owner)} THEN ${value} ELSE ${name} END WHERE ${all}`,
            [[one, two]],
          );
        const effects: [name: string, refreshed: number[][]][] = [];
        for (const { name, type, nullable } of columns) {
          const value = OTHER_VALUES[type]?.(name) ?? '';
          const refreshed = await sandbox.undone(async () => {
            if (nullable) await update(name, 'NULL', one);
            const first = await update(name, value, one);
            return [first, await update(name, value, two), nullable ? await update(name, 'NULL', one) : first];
          });
          effects.push([name.replaceAll('"', ''), refreshed]);
        }
        const { deciding, other } = COLUMNS[table] ?? { deciding: [], other: [] };
        expect(Object.fromEntries(effects)).toEqual({
          ...Object.fromEntries(deciding.map((name) => [name, [[one], [two], [one]]])),
          ...Object.fromEntries(other.map((name) => [name, [[], [], []]])),
        });
      });
  });

  it("causes a refresh of its organization's projects, or of all if built in, when added or deleted", async () => {
    const [one, two] = await owners();
    const everyone = (await domain.database.query<{ id: string }>('SELECT id FROM organization ORDER BY id')).map(
      ({ id }) => Number(id),
    );
    const { all } = addedRows(table);
    const remove = (sandbox: Sandbox, from: readonly number[]) =>
      sandbox.changed(`DELETE FROM ${table} WHERE ${all}`, [from]);
    for (const kind of kinds)
      await Sandbox.open(table, async (sandbox) => {
        expect(await (kind ? sandbox.addConditions(kind, [one, two]) : sandbox.copyTo([one, two]))).toEqual([one, two]);
        expect(await remove(sandbox, [two])).toEqual([two]);
        expect(await remove(sandbox, [one])).toEqual([one]);
        expect(await remove(sandbox, [one])).toEqual([]);
        if (!BELONG_TO_ORGANIZATIONS.includes(table))
          expect(await (kind ? sandbox.addConditions(kind, [null]) : sandbox.copyTo([null]))).toEqual(everyone);
      });
  });
});

describe('A flag that does not decide how conditions match', () => {
  it('can be set and unset without a refresh of projects', async () => {
    const values = [domain.actor.organizationId];
    await Sandbox.open('feature_flag', async (sandbox) => {
      expect(await sandbox.changed(`INSERT INTO feature_flag VALUES ($1, 'OTHER')`, values)).toEqual([]);
      expect(await sandbox.changed('DELETE FROM feature_flag WHERE organization_id = $1', values)).toEqual([]);
    });
  });
});
