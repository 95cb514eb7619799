import { sql } from 'kysely';
import { Capec } from '#domain/library/capec/capec.entity.js';
import { Cwe } from '#domain/library/cwe/cwe.entity.js';
import { ThreatFramework as ThreatFrameworkEntity } from '#domain/library/threat-framework/threat-framework.entity.js';
import type { Cwe as CweRow } from '../public-tables/cwe-table.js';
import type { Capec as CapecRow, ReferenceTables, ThreatFramework } from '../public-tables/reference-tables.js';
import { type BuiltInTables, type Present, recordset } from './built-in-tables.js';

/** Loads weaknesses of CWE. */
export const loadCwes = (tables: BuiltInTables, cwes: readonly CweRow[], present?: Present): Promise<void> =>
  tables.upsert(Cwe, 'id', cwes, present);

/** Loads attack patterns of CAPEC. */
export const loadCapecs = (tables: BuiltInTables, capecs: readonly CapecRow[], present?: Present): Promise<void> =>
  tables.upsert(Capec, 'id', capecs, present);

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
      SELECT ${framework}, built_in.entry_id, built_in.name, built_in.url, coalesce(
        (SELECT max(position) FROM threat_framework_entry WHERE framework_id = ${framework}), 0) + built_in.ordinal
      FROM ${recordset(rows, columns)}
      ON CONFLICT (framework_id, entry_id) DO UPDATE SET name = excluded.name, url = excluded.url
      WHERE ${sql.lit(present === 'change')} AND (present.name, present.url) <> (excluded.name, excluded.url)
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
  await tables.upsert(
    ThreatFrameworkEntity,
    'id',
    reference.frameworks.map(({ entries: _entries, ...framework }) => framework),
  );
  for (const { id, slug, entries } of reference.frameworks)
    await loadFrameworkEntries(tables, id, entries, present(CATALOG_OF[slug]));
}
