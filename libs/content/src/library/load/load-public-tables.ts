import { sql } from 'kysely';
import type { Cwe } from '../public-tables/cwe-table.js';
import type { Capec, ReferenceTables, ThreatFramework } from '../public-tables/reference-tables.js';
import { recordset, type BuiltInTables } from './built-in-tables.js';

/** What happens to an existing entry: it is brought up to date, or stays as it is. */
type Present = 'change' | 'keep';

const changes = (present: Present) => sql.lit(present === 'change');

/** Loads weaknesses of CWE. */
export async function loadCwes(
  tables: BuiltInTables,
  cwes: readonly Cwe[],
  present: Present = 'change',
): Promise<void> {
  const columns = { id: 'integer', title: 'text', abstraction: 'text', status: 'text', parents: 'bigint[]' };
  await tables.run(
    'cwe',
    sql<{ id: string }>`
      INSERT INTO cwe AS present (id, title, abstraction, status, parents)
      SELECT * FROM ${recordset(cwes, columns)}
      ON CONFLICT (id) DO UPDATE SET title = excluded.title, abstraction = excluded.abstraction,
        status = excluded.status, parents = excluded.parents
      WHERE ${changes(present)} AND (present.title, present.abstraction, present.status, present.parents)
        <> (excluded.title, excluded.abstraction, excluded.status, excluded.parents)
      RETURNING present.id::text`,
  );
}

/** Loads attack patterns of CAPEC. */
export async function loadCapecs(
  tables: BuiltInTables,
  capecs: readonly Capec[],
  present: Present = 'change',
): Promise<void> {
  const columns = {
    id: 'integer',
    title: 'text',
    abstraction: 'text',
    likelihood: 'text',
    severity: 'text',
    cwes: 'bigint[]',
  };
  await tables.run(
    'capec',
    sql<{ id: string }>`
      INSERT INTO capec AS present (id, title, abstraction, likelihood, severity, cwes)
      SELECT * FROM ${recordset(capecs, columns)}
      ON CONFLICT (id) DO UPDATE SET title = excluded.title, abstraction = excluded.abstraction,
        likelihood = excluded.likelihood, severity = excluded.severity, cwes = excluded.cwes
      WHERE ${changes(present)}
        AND (present.title, present.abstraction, present.likelihood, present.severity, present.cwes)
        IS DISTINCT FROM (excluded.title, excluded.abstraction, excluded.likelihood, excluded.severity, excluded.cwes)
      RETURNING present.id::text`,
  );
}

/** Notes at each CWE the CAPECs that make use of it, after either table has changed. */
export async function relateCwes(tables: BuiltInTables): Promise<void> {
  await tables.run(
    'cwe',
    sql<{ id: string }>`
      WITH related AS (
        SELECT c.id, coalesce(array_agg(k.id::bigint ORDER BY k.id) FILTER (WHERE k.id IS NOT NULL), '{}') AS capecs
        FROM cwe c LEFT JOIN capec k ON c.id = ANY(k.cwes) GROUP BY c.id)
      UPDATE cwe SET capecs = related.capecs FROM related
      WHERE cwe.id = related.id AND cwe.capecs <> related.capecs RETURNING cwe.id::text`,
  );
}

async function loadFrameworks(tables: BuiltInTables, frameworks: readonly ThreatFramework[]): Promise<void> {
  const columns = { id: 'integer', slug: 'text', name: 'text', version: 'text', url: 'text' };
  await tables.run(
    'threat_framework',
    sql<{ id: string }>`
      INSERT INTO threat_framework AS present (id, slug, name, version, url)
      SELECT * FROM ${recordset(frameworks, columns)}
      ON CONFLICT (id) DO UPDATE
        SET slug = excluded.slug, name = excluded.name, version = excluded.version, url = excluded.url
      WHERE (present.slug, present.name, present.version, present.url)
        <> (excluded.slug, excluded.name, excluded.version, excluded.url)
      RETURNING present.id::text`,
  );
}

/** Loads entries of a framework: those that are there keep their place, new ones follow behind. */
export async function loadFrameworkEntries(
  tables: BuiltInTables,
  framework: number,
  entries: ThreatFramework['entries'],
  present: Present = 'change',
): Promise<void> {
  const rows = entries.map(({ id, name, url }, index) => ({ entry_id: id, name, url, ordinal: index + 1 }));
  const columns = { entry_id: 'text', name: 'text', url: 'text', ordinal: 'integer' };
  await tables.run(
    'threat_framework_entry',
    sql<{ id: string }>`
      INSERT INTO threat_framework_entry AS present (framework_id, entry_id, name, url, position)
      SELECT ${framework}, shipped.entry_id, shipped.name, shipped.url, coalesce(
        (SELECT max(position) FROM threat_framework_entry WHERE framework_id = ${framework}), 0) + shipped.ordinal
      FROM ${recordset(rows, columns)}
      ON CONFLICT (framework_id, entry_id) DO UPDATE SET name = excluded.name, url = excluded.url
      WHERE ${changes(present)} AND (present.name, present.url) <> (excluded.name, excluded.url)
      RETURNING concat_ws('/', present.framework_id, present.entry_id) AS id`,
  );
}

/** The catalog that stands for each framework, where it can be imported. */
const CATALOG_OF: Readonly<Record<string, string>> = { 'mitre-attack': 'attack', 'mitre-emb3d': 'emb3d' };

/**
 * Loads the public tables that come with a release. What a later one no longer has stays, since threats and weaknesses
 * may name it; where a catalog was imported, its entries are newer than the release's, which only adds to them.
 */
export async function loadPublicTables(tables: BuiltInTables, reference: ReferenceTables): Promise<void> {
  const imported = await tables.importedCatalogs();
  const present = (kind: string | undefined): Present => (kind !== undefined && imported.has(kind) ? 'keep' : 'change');
  await loadCwes(tables, reference.cwes, present('cwe'));
  await loadCapecs(tables, reference.capecs, present('capec'));
  await relateCwes(tables);
  await loadFrameworks(tables, reference.frameworks);
  for (const { id, slug, entries } of reference.frameworks)
    await loadFrameworkEntries(tables, id, entries, present(CATALOG_OF[slug]));
}
