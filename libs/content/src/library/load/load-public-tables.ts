import { sql } from 'kysely';
import { Capec } from '#domain/library/capec/capec.entity.js';
import { Cwe } from '#domain/library/cwe/cwe.entity.js';
import { ThreatFramework as ThreatFrameworkEntity } from '#domain/library/threat-framework/threat-framework.entity.js';
import type { Cwe as CweRow } from '../public-tables/cwe-table.js';
import type { Capec as CapecRow, ReferenceTables } from '../public-tables/reference-tables.js';
import { type BuiltInTables, type Present, recordset } from './built-in-tables.js';

/** Loads the entries of CWE. */
export const loadCwes = (tables: BuiltInTables, cwes: readonly CweRow[], present?: Present): Promise<void> =>
  tables.upsert(Cwe, 'id', cwes, present);

/** Loads the attack patterns of CAPEC. */
export const loadCapecs = (tables: BuiltInTables, capecs: readonly CapecRow[], present?: Present): Promise<void> =>
  tables.upsert(Capec, 'id', capecs, present);

/** Updates the CAPECs that are related to each CWE. Call it after either table has changed. */
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

/**
 * Loads the entries of one domain of a threat framework. Existing entries keep their position; new ones are appended.
 * Those that are no longer listed are deactivated, unless existing rows are kept.
 */
export async function loadFrameworkEntries(
  tables: BuiltInTables,
  framework: number,
  domain: string,
  entries: readonly { readonly id: string; readonly name: string; readonly url: string }[],
  present: Present = 'change',
): Promise<void> {
  const rows = entries.map(({ id, name, url }, index) => ({ entry_id: id, name, url, ordinal: index + 1 }));
  const columns = { entry_id: 'text', name: 'text', url: 'text', ordinal: 'integer' };
  await tables.run(
    'threat_framework_entry',
    sql<{ id: string }>`
      INSERT INTO threat_framework_entry AS present (framework_id, domain, entry_id, name, url, position)
      SELECT ${framework}, ${domain}, built_in.entry_id, built_in.name, built_in.url, coalesce(
        (SELECT max(position) FROM threat_framework_entry WHERE framework_id = ${framework}), 0) + built_in.ordinal
      FROM ${recordset(rows, columns)}
      ON CONFLICT (framework_id, entry_id) DO UPDATE SET name = excluded.name, url = excluded.url, active = true
      WHERE ${sql.lit(present === 'change')}
        AND (present.name, present.url, present.active) <> (excluded.name, excluded.url, true)
      RETURNING concat_ws('/', present.framework_id, present.entry_id) AS id`,
  );
  if (present === 'keep') return;
  await tables.run(
    'threat_framework_entry',
    sql<{ id: string }>`
      UPDATE threat_framework_entry SET active = false
      WHERE framework_id = ${framework} AND domain = ${domain} AND active
        AND entry_id <> ALL(${entries.map(({ id }) => id)}::text[])
      RETURNING concat_ws('/', framework_id, entry_id) AS id`,
  );
}

/** The catalog kind that replaces the built-in entries of a framework, for frameworks that have one. */
const CATALOG_OF: Readonly<Record<string, string>> = {
  'mitre-attack': 'attack',
  'mitre-emb3d': 'emb3d',
  'mitre-atlas': 'atlas',
};

/**
 * Loads the public tables of a release. Entries that a release no longer has are kept, because threats and weaknesses
 * may refer to them; those of threat frameworks become inactive. If a catalog was imported, its entries are newer, so
 * the release only adds missing ones.
 */
export async function loadPublicTables(tables: BuiltInTables, reference: ReferenceTables): Promise<void> {
  const imported = await tables.importedCatalogs();
  const present = (kind: string | undefined): Present => (kind !== undefined && imported.has(kind) ? 'keep' : 'change');
  await loadCwes(tables, reference.cwes, present('cwe'));
  await loadCapecs(tables, reference.capecs, present('capec'));
  await relateCwes(tables);
  for (const { entries, ...framework } of reference.frameworks) {
    const existing = present(CATALOG_OF[framework.slug]);
    await tables.upsert(ThreatFrameworkEntity, 'id', [framework], existing);
    for (const domain of new Set(entries.map((entry) => entry.domain))) {
      const ofDomain = entries.filter((entry) => entry.domain === domain);
      await loadFrameworkEntries(tables, framework.id, domain, ofDomain, existing);
    }
  }
}
