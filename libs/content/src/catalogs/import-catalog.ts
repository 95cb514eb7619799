import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { operatorOf } from '#domain/kernel/operator.js';
import { saveRegulation } from '#domain/library/regulation/regulation.commands.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { loadCapecs, loadCwes, loadFrameworkEntries, relateCwes } from '../library/load/load-public-tables.js';
import { BuiltInTables } from '../library/load/built-in-tables.js';
import type { Catalog } from './catalog.js';

/** The result of an import. */
export interface ImportedCatalog {
  readonly kind: Catalog['kind'];
  readonly source: Catalog['source'];
  readonly entries: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Id of the regulation, for catalogs that are imported as one. */
  readonly regulation?: string;
}

interface Outcome {
  readonly entries: number;
  readonly created: number;
  readonly updated: number;
  readonly regulation?: string;
}

/**
 * Imports a catalog in one transaction: CWE, CAPEC and threat frameworks into tables that all organizations share, the
 * others as a regulation of one organization. Importing the same file again changes nothing. Entries that a newer
 * catalog no longer has are kept, because library items may refer to them.
 *
 * @param organization owner of the regulation; required for these catalogs only
 */
export const importCatalog = (em: EntityManager, catalog: Catalog, organization?: number): Promise<ImportedCatalog> =>
  acrossOrganizations(em, 'import a catalog', async (transaction) => {
    const { entries, created, updated, regulation } = await write(transaction, catalog, organization);
    const { name, version, licence } = catalog.source;
    const owner = regulation === undefined ? null : (organization ?? null);
    await sql`
      INSERT INTO catalog_import (organization_id, kind, name, version, licence, entries)
      VALUES (${owner}, ${catalog.kind}, ${name}, ${version}, ${licence}, ${entries})
      ON CONFLICT (kind, organization_id, name, version) DO UPDATE
      SET licence = excluded.licence, entries = excluded.entries, imported_at = clock_timestamp()`.execute(
      transaction.getKysely(),
    );
    return {
      kind: catalog.kind,
      source: catalog.source,
      entries,
      created,
      updated,
      unchanged: entries - created - updated,
      ...(regulation !== undefined && { regulation }),
    };
  });

async function write(em: EntityManager, catalog: Catalog, organization: number | undefined): Promise<Outcome> {
  if ('regulation' in catalog) {
    if (organization === undefined) throw new Error('A regulation belongs to an organization.');
    const { regulation, sections, source } = catalog;
    const saved = await saveRegulation(em, operatorOf(organization), {
      ...regulation,
      version: source.version,
      sections,
    });
    return { entries: sections.length, created: saved.created, updated: saved.updated, regulation: saved.id };
  }
  const tables = new BuiltInTables(em);
  if ('cwes' in catalog)
    return counted(em, 'cwe', catalog.cwes.length, async () => {
      await loadCwes(tables, catalog.cwes);
      const touched = tables.changed['cwe'];
      await relateCwes(tables);
      return touched;
    });
  if ('capecs' in catalog)
    return counted(em, 'capec', catalog.capecs.length, async () => {
      await loadCapecs(tables, catalog.capecs);
      await relateCwes(tables);
      return tables.changed['capec'];
    });
  return counted(em, 'threat_framework_entry', catalog.entries.length, async () => {
    await loadFrameworkEntries(tables, await frameworkId(em, catalog.framework), catalog.entries);
    return tables.changed['threat_framework_entry'];
  });
}

/** Counts added and changed rows, using the size of the table before and after. */
async function counted(
  em: EntityManager,
  table: string,
  entries: number,
  load: () => Promise<number | undefined>,
): Promise<Outcome> {
  const size = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)}`.execute(
      em.getKysely(),
    );
    return rows[0]?.n ?? 0;
  };
  const before = await size();
  const touched = (await load()) ?? 0;
  const created = (await size()) - before;
  return { entries, created, updated: touched - created };
}

async function frameworkId(em: EntityManager, slug: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM threat_framework WHERE slug = ${slug}`.execute(
    em.getKysely(),
  );
  const [framework] = rows;
  if (!framework) throw new Error(`The framework ${slug} has not been loaded.`);
  return framework.id;
}
