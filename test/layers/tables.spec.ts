import { createRequire } from 'node:module';
import { declaredTables, isUseOf, sources, type TableUse, tableUses } from './table-uses.js';

const { CONTEXTS, ABOVE_CONTEXTS } = createRequire(import.meta.url)('../../.dependency-cruiser.contexts.cjs') as {
  readonly CONTEXTS: readonly (readonly [string, string])[];
  readonly ABOVE_CONTEXTS: readonly string[];
};

/** Files that write tables whose names they get at run time, and why those are no tables of versions. */
const WRITES_BY_NAME: Readonly<Record<string, string>> = {
  'apps/admin/src/demo/timeline.ts': 'Times of what a demo writes: projects, activities, notes and reports.',
  'libs/content/src/backup/database-form.ts': 'A restore fills all tables of an empty database.',
  'libs/content/src/backup/restore-backup.ts': 'A restore fills all tables of an empty database.',
  'libs/content/src/library/load/moved-answers.ts': 'Answers of saved surveys and of drafts.',
  'libs/domain/src/connections/leased-connection/leased-connection.ts': 'Connections whose rows workers lease.',
  'libs/domain/src/exchange/job/job.lease.ts': 'Tables of jobs.',
  'libs/domain/src/kernel/items/item-rows.ts': 'Tables of items without versions; it passes on the others.',
  'libs/domain/src/kernel/lease/lease.ts': 'Tables whose rows workers lease.',
  'libs/domain/src/kernel/state-machine.ts': 'Tables with a status.',
  'libs/domain/src/library/customization/customization.commands.ts': 'Identities, which take their versions along.',
  'libs/domain/src/library/item-batch/references.ts': 'Tables that connect two kinds.',
  'libs/domain/src/operations/reencrypt.ts': 'Tables with encrypted columns.',
  'libs/domain/src/projects/project-content/refresh-items.ts': 'Tables of project content.',
  'libs/domain/src/reports/trend/trend-summaries.ts': 'Tables of the trend.',
  'libs/domain/src/reports/trend/trend.commands.ts': 'Tables of the trend.',
};

/** The writers of versions (docs/adr/0060-one-writer-of-versions.md). */
const WRITERS_OF_VERSIONS = [
  // Originals, by one MERGE for each table.
  'libs/content/src/library/load/built-in-tables.ts',
  'libs/domain/src/kernel/items/item-versions.ts',
];

/** Tables of other contexts that a context uses although it may not import them, and why. */
const READS_OF_OTHERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  kernel: {
    '*_version': 'The kind of the versions is an argument: the kernel names no table.',
  },
  activity: {
    organization: 'Activities are counted by organization, along the index of each.',
  },
  projects: {
    tracked_issue: 'A countermeasure with an issue in a tracker is kept when it becomes irrelevant.',
  },
  reports: {
    connector: 'The view of integrations lists connectors.',
    onboarding_scan: 'The views of integrations show the last scan of a connector, and the projects that were scanned.',
    webhook: 'The view of integrations lists webhooks.',
    webhook_delivery: 'The view of integrations counts the deliveries of a webhook.',
  },
};

/** Tables of other contexts that a context writes, and why. */
const WRITES_OF_OTHERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  kernel: {
    '*_version': 'The kind of the versions is an argument: the kernel names no table.',
  },
  projects: {
    organization: 'The lease of an organization whose projects are refreshed has columns in its row.',
  },
};

const files = sources('libs', 'apps');
const declared = declaredTables(files);
const tables = [...declared.files.keys()];
const usesIn = (code: ReadonlyMap<string, string>): TableUse[] =>
  [...code].flatMap(([file, text]) => tableUses(file, text, declared));
const uses = usesIn(files);

const writesVersions = (use: TableUse): boolean =>
  use.verb === 'writes' &&
  use.table !== '*' &&
  tables.some((table) => table.endsWith('_version') && isUseOf(use, table));

const contextOf = (file: string): string | undefined => /^libs\/domain\/src\/([^/]+)\//.exec(file)?.[1];

/** Whether a context may use the tables of another one without a reason: those of itself and of lower contexts. */
function isBelow(other: string, context: string): boolean {
  const order = CONTEXTS.map(([name]) => name);
  const place = order.indexOf(context);
  return other === context || order.slice(0, place === -1 ? order.length : place).includes(other);
}

/** Uses of tables that belong to other contexts, as `context verb table`; lower contexts may be read. */
function foreignUses(all: readonly TableUse[]): string[] {
  const foreign = all.flatMap((use) => {
    const context = contextOf(use.file);
    if (context === undefined || ABOVE_CONTEXTS.includes(context) || use.table === '*') return [];
    const owners = tables
      .filter((table) => isUseOf(use, table))
      .map((table) => contextOf(declared.files.get(table) ?? ''));
    const isAllowed = (owner = ''): boolean => (use.verb === 'writes' ? owner === context : isBelow(owner, context));
    return owners.every(isAllowed) ? [] : [`${context} ${use.verb} ${use.table}`];
  });
  return [...new Set(foreign)].sort();
}

const listed = (verb: TableUse['verb'], list: typeof READS_OF_OTHERS): string[] =>
  Object.entries(list)
    .flatMap(([context, reasons]) => Object.keys(reasons).map((table) => `${context} ${verb} ${table}`))
    .sort();

describe('Versions of items', () => {
  it('are written by one module, and by the loader of the starter library', () => {
    expect([...new Set(uses.filter(writesVersions).map(({ file }) => file))].sort()).toEqual(WRITERS_OF_VERSIONS);
  });

  it('are not among the tables that other code writes by name', () => {
    const byName = uses.filter(({ verb, table }) => verb === 'writes' && table === '*').map(({ file }) => file);
    const others = [...new Set(byName)].filter((file) => !WRITERS_OF_VERSIONS.includes(file)).sort();
    expect(others).toEqual(Object.keys(WRITES_BY_NAME).sort());
  });

  it.each([
    ['SQL', "sql`UPDATE threat_version SET title = ''`"],
    ['SQL with a table for each kind', 'sql`DELETE FROM ${sql.table(`${kind}_version`)} WHERE true`'],
    [
      'SQL with a table in a constant',
      "const table = sql.table('threat_version'); sql`WITH n AS (INSERT INTO ${table}`",
    ],
    [
      'a function for the table',
      'const of = (kind: Kind) => sql.table(`${kind}_version`); sql`UPDATE ${of(kind)} t SET`',
    ],
    ['the query builder', "database.updateTable('threat_version as v').set({})"],
    ['the unit of work', 'em.nativeUpdate(ThreatVersion, {}, {})'],
    ['an entity that is loaded to change it', 'em.findOne(ThreatVersion, { id })'],
  ])('are recognized in %s', (_name, code) => {
    expect(usesIn(new Map([['libs/domain/src/library/x.ts', code]])).filter(writesVersions)).not.toEqual([]);
  });
});

describe('Tables of a context', () => {
  it('are read by higher contexts, and by others only for a reason', () => {
    expect(foreignUses(uses.filter(({ verb }) => verb === 'reads'))).toEqual(listed('reads', READS_OF_OTHERS));
  });

  it('are written by their own context', () => {
    expect(foreignUses(uses.filter(({ verb }) => verb === 'writes'))).toEqual(listed('writes', WRITES_OF_OTHERS));
  });

  it.each([
    [
      'library',
      'sql`SELECT 1 FROM phase p, project_countermeasure c WHERE true`',
      'library reads project_countermeasure',
    ],
    ['library', 'const view = `SELECT 1 FROM phase JOIN risk_policy ON true`', 'library reads risk_policy'],
    ['access', "tables(em).selectFrom('webhook as w').selectAll()", 'access reads webhook'],
    ['reports', "sql`SELECT count(*) FROM ${sql.table('export_job')}`", 'reports reads export_job'],
    ['search', 'sql`SELECT id FROM ${sql.table(`${kind}_job`)}`', 'search reads *_job'],
    ['projects', 'sql`UPDATE phase SET name = name`', 'projects writes phase'],
    ['projects', "new Lease({ table: 'webhook', requeueSeconds: 1 })", 'projects writes webhook'],
  ])('are recognized in code of %s: %s', (context, code, use) => {
    expect(foreignUses(usesIn(new Map([[`libs/domain/src/${context}/x.ts`, code]])))).toEqual([use]);
  });
});
