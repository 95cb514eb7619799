import { checkQuery } from '#reporting/check-query.js';
import { EmbeddedEngine } from '#reporting/embedded-engine.js';
import { EngineUnavailable } from '#reporting/engine.js';
import { InvalidQuery } from '#reporting/query-error-collector.js';
import { reportingModel } from '#reporting/model.js';
import { OPERATORS, type OperatorName, appliesTo } from '#reporting/operators.js';
import { ORGANIZATION_SETTING } from '#domain/kernel/transaction.js';
import { REPORTING_VIEWS } from '#domain/reports/reporting-schema/reporting-views.js';
import { REPORTING_ROLE } from '#domain/reports/reporting-schema/reporting-schema.js';
import { Client } from 'pg';
import { cloneDatabase, type TestDatabase } from '../support/database.js';
import { storePlainCubes, readPlainCubes } from '../support/plain-cubes.js';
import { Chance, makePortfolio } from '../support/report-data.js';
import { countHours } from '../support/report-surroundings.js';

/** Texts that would get out of a query, were one of them written into it. */
const HOSTILE = [
  "' OR '1'='1",
  "'; RESET ROLE; --",
  '$1) OR (1=1',
  "') UNION SELECT email FROM user_account --",
  "x'; SELECT set_config('merlon.organization', '1', true); --",
  '%',
  '\\',
];

describe('Reports', () => {
  let database: TestDatabase;
  let engine: EmbeddedEngine;
  let ours: number;
  let theirs: number;
  const options = (role: string) => ({
    url: database.url,
    poolSize: 2,
    timeoutSeconds: 10,
    role,
    organizationSetting: ORGANIZATION_SETTING,
  });

  beforeAll(async () => {
    database = await cloneDatabase();
    const chance = new Chance(7);
    ours = await makePortfolio(database, chance);
    theirs = await makePortfolio(database, chance);
    await countHours(database.url);
    // Too late to be counted.
    await database.query(
      `INSERT INTO activity (organization_id, name, text, data, icon, log_level, occurred_at)
       SELECT id, 'UpdatedProjectActivity', '', '{}', 'x', 'user', now() FROM organization WHERE id = ANY ($1)`,
      [[ours, theirs]],
    );
    engine = new EmbeddedEngine(options(REPORTING_ROLE));
    await load({ schema: 'library', measures: ['LibraryTask.count'] });
  }, 120_000);
  afterAll(async () => {
    await engine.close();
    await database.drop();
  });

  const load = async (input: object) => (await engine.load(checkQuery(input).queries[0]!, ours)).rows;
  const numbers = async (statement: string, organization: number): Promise<string[]> =>
    (await database.query<{ id: string }>(statement, [organization])).map(({ id }) => id).sort();

  it.each([
    ['BusinessUnit.id', 'business_unit'],
    ['Application.id', 'application'],
    ['Project.id', 'project'],
    ['Activity.id', 'activity'],
    ['User.id', 'user_account'],
  ])('return every %s of the organization and none of another', async (member, table) => {
    const statement = `SELECT id FROM ${table} WHERE organization_id = $1`;
    const rows = await load({ schema: 'all', dimensions: [member], limit: 50_000 });
    expect(rows.map((row) => String(row[member])).sort()).toEqual(await numbers(statement, ours));
    expect(await numbers(statement, theirs)).not.toHaveLength(0);
  });

  it('return the same rows as plain SQL for every cube, and none of another organization', async () => {
    await storePlainCubes(database, ours);
    const plain = await readPlainCubes(database);
    for (const { name, isPublic, members } of reportingModel().cubes.values()) {
      if (!isPublic) continue;
      const trend = name.startsWith('Trend') && `trend_${name.slice('Trend'.length).toLowerCase()}`;
      const dimensions = members.filter(({ kind }) => kind === 'dimension').map((member) => member.name);
      const rows = await load({
        schema: trend || 'all',
        dimensions,
        ...(trend && { timeDimensions: [{ dimension: `${name}.date` }] }),
        ungrouped: true,
        limit: 50_000,
      });
      const found = rows.map((row) => dimensions.map((member) => String(row[member])).join());
      const expected = (plain[name] ?? []).map((row) =>
        dimensions.map((member) => String(row[member.split('.')[1] ?? ''])).join(),
      );
      expect([name, found.sort()]).toEqual([name, expected.sort()]);
      expect([name, expected.length > 0]).toEqual([name, true]);
    }
  });

  it.each([
    'Project.organization',
    'Project.key',
    'ProjectUser.key',
    'LibraryTaskComponent.organization',
    'project.id',
    'reporting.project',
    'pg_catalog.pg_authid',
    'Project.id" FROM reporting.project --',
    "Project.name' OR '1'='1",
    'Project.constructor',
    '__proto__.id',
  ])('reject the unknown member %s', (name) => {
    for (const query of [
      { dimensions: [name] },
      { measures: [name] },
      { dimensions: ['Project.id'], filters: [{ or: [{ member: name, operator: 'set' }] }] },
      { dimensions: ['Project.id'], order: [[name, 'asc']] },
      { measures: ['Project.count'], timeDimensions: [{ dimension: name, granularity: 'day' }] },
    ])
      expect(() => checkQuery({ schema: 'all', ...query })).toThrow(InvalidQuery);
  });

  it.each([
    "UTC'; RESET ROLE; --",
    "UTC' OR '1'='1",
    'UTC) OR (1=1',
    '$1',
    "UTC'||(SELECT email FROM user_account)||'",
  ])('reject the unknown time zone %s', (timezone) => {
    expect(() => checkQuery({ schema: 'all', dimensions: ['Project.created.day'], timezone })).toThrow(InvalidQuery);
  });

  it("return the organization's version of the library, without changes by other organizations", async () => {
    const rows = await load({ schema: 'library', dimensions: ['LibraryTask.id', 'LibraryTask.title'], limit: 50_000 });
    const foreign = await database.query<{ title: string }>(
      'SELECT title FROM countermeasure_version WHERE organization_id = $1',
      [theirs],
    );
    const titles = new Set(rows.map((row) => row['LibraryTask.title']));
    expect(foreign.length).toBeGreaterThan(0);
    for (const { title } of foreign) expect(titles.has(title)).toBe(false);
    expect(new Set(rows.map((row) => row['LibraryTask.id'])).size).toBe(rows.length);
  });

  it('return only rows of the organization with every operator, nested filters and hostile values', async () => {
    const allowed = new Set(await numbers('SELECT id FROM project WHERE organization_id = $1', ours));
    const [foreign] = await database.query<{ name: string }>('SELECT name FROM project WHERE organization_id = $1', [
      theirs,
    ]);
    const member = reportingModel().members.get('Project.name')!;
    const found = async (filter: object): Promise<Set<string>> => {
      const dimensions = ['Project.id', 'Project.name'];
      const rows = await load({ schema: 'all', dimensions, filters: [filter], timezone: 'Etc/GMT+12' });
      return new Set(rows.map((row) => String(row['Project.id'])));
    };
    const operators = (Object.keys(OPERATORS) as OperatorName[]).filter((name) => appliesTo(OPERATORS[name], member));
    for (const operator of operators)
      for (const values of [...HOSTILE.map((text) => [text]), [foreign?.name ?? ''], [null, ...HOSTILE]]) {
        const condition = { member: 'Project.name', operator, ...(OPERATORS[operator].maximum > 0 && { values }) };
        const always = {
          or: [{ member: 'Project.id', operator: 'set' }, { member: 'Project.id', operator: 'notSet' }, condition],
        };
        for (const id of await found(condition)) expect(allowed).toContain(id);
        for (const filter of [always, { and: [always, { or: [condition, always] }] }])
          expect(await found(filter)).toEqual(allowed);
      }
  });

  it('return only rows of the organization across joins, ungrouped and in totals', async () => {
    const [{ count } = { count: '' }] = await database.query<{ count: string }>(
      'SELECT count(*) FROM project_countermeasure WHERE organization_id = $1',
      [ours],
    );
    const sums = await load({
      schema: 'all',
      measures: ['Task.count', 'Project.count', 'LibraryTask.count', 'BusinessUnit.count'],
    });
    expect(sums[0]?.['Task.count']).toBe(count);
    const [query] = checkQuery({
      schema: 'all',
      dimensions: ['Task.id'],
      measures: ['Task.count'],
      ungrouped: true,
      total: true,
    }).queries;
    const found = await engine.load(query!, ours);
    expect([found.rows.length, found.total]).toEqual([Number(count), Number(count)]);
  });

  it('use a role that can only read the views, and sees no rows without the organization setting', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query(`SET ROLE ${REPORTING_ROLE}`);
      for (const table of ['project', 'user_account', 'api_token', 'activity', 'report', 'organization'])
        await expect(client.query(`SELECT 1 FROM public.${table}`)).rejects.toThrow('permission denied');
      for (const statement of [
        'CREATE TABLE x (y int)',
        'DELETE FROM reporting.project',
        'CREATE VIEW reporting.x AS SELECT 1',
      ])
        await expect(client.query(statement)).rejects.toThrow(/permission denied|cannot delete/);
      for (const view of Object.keys(REPORTING_VIEWS).filter((name) => !/^(library|regulation)/.test(name)))
        expect([view, (await client.query(`SELECT 1 FROM reporting.${view}`)).rowCount]).toEqual([view, 0]);
    } finally {
      await client.end();
    }
  });

  it.each(Object.keys(REPORTING_VIEWS))('return different rows for each organization: %s', async (view) => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query(`SET ROLE ${REPORTING_ROLE}`);
      const rowsOf = async (organization: number): Promise<Set<string>> => {
        await client.query('SELECT set_config($1, $2, false)', [ORGANIZATION_SETTING, String(organization)]);
        // Without what tells whose rows they are asked for: it would make all of them differ.
        const { rows } = await client.query<{ row: string }>(
          `SELECT (to_jsonb(v) - 'organization_id')::text AS row FROM reporting.${view} v`,
        );
        return new Set(rows.map(({ row }) => row));
      };
      const [own, others] = [await rowsOf(ours), await rowsOf(theirs)];
      expect([...own].filter((row) => !others.has(row))).not.toEqual([]);
      expect([...others].filter((row) => !own.has(row))).not.toEqual([]);
    } finally {
      await client.end();
    }
  });

  it('fail with EngineUnavailable if the database role does not exist', async () => {
    const off = new EmbeddedEngine(options('merlon_no_such_role'));
    const [query] = checkQuery({ schema: 'library', measures: ['LibraryTask.count'] }).queries;
    await expect(off.load(query!, ours)).rejects.toThrow(EngineUnavailable);
    await off.close();
  });
});
