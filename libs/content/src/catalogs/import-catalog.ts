import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { Invalid } from '#domain/kernel/domain-errors.js';
import { operatorOf } from '#domain/kernel/operator.js';
import {
  type CarriedMappings,
  carriedMappings,
  type SectionPair,
} from '#domain/library/regulation/carried-mappings.js';
import { compareEdition, saveEdition } from '#domain/library/regulation/regulation-edition.commands.js';
import { BuiltInTables } from '../library/load/built-in-tables.js';
import { loadCapecs, loadCwes, loadFrameworkEntries, relateCwes } from '../library/load/load-public-tables.js';
import type { Catalog } from './catalog.js';
import { type CatalogChange, compareCatalog, type SharedCatalog } from './catalog-difference.js';

type RegulationCatalog = Exclude<Catalog, SharedCatalog>;

/** The result of an import, or of a dry run. */
export interface ImportedCatalog {
  readonly kind: Catalog['kind'];
  readonly source: Catalog['source'];
  readonly applied: boolean;
  readonly entries: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Entries of the same edition that the file no longer has. */
  readonly deactivated: number;
  /** Id of the regulation, for catalogs that are imported as one; null in a dry run that would create it. */
  readonly regulation?: string | null;
  /** The mappings of another edition, if they were requested. */
  readonly mappings?: Pick<CarriedMappings, 'carried' | 'left'> & { readonly from: string };
  /** The difference, in a dry run. */
  readonly changes?: readonly CatalogChange[];
}

/** How to import a catalog. */
export interface ImportOptions {
  /** Owner of the regulation; required for catalogs that are imported as one. */
  readonly organization?: number | undefined;
  /** Only find the difference. */
  readonly dryRun?: boolean;
  /** The edition whose mappings the regulation takes over, with the sections that take the place of its sections. */
  readonly mappingsFrom?: { readonly regulation: string; readonly pairs?: readonly SectionPair[] | undefined };
}

interface Outcome extends Pick<ImportedCatalog, 'regulation' | 'mappings'> {
  readonly entries: number;
  readonly changes: readonly CatalogChange[];
}

/**
 * Imports a catalog in one transaction: CWE, CAPEC and threat frameworks into tables that all organizations share, the
 * others as a regulation of one organization, which its name and version identify. Importing the same file again
 * changes nothing. Entries that the file no longer has are kept, because library items may refer to them; those of the
 * same edition of a regulation, or of a threat framework, are deactivated.
 *
 * @throws Invalid if the edition whose mappings are taken over does not exist, or is the same one
 */
export const importCatalog = (
  em: EntityManager,
  catalog: Catalog,
  options: ImportOptions = {},
): Promise<ImportedCatalog> =>
  acrossOrganizations(em, 'import a catalog', async (transaction) => {
    const { dryRun = false } = options;
    const outcome = await ('sections' in catalog
      ? importRegulation(transaction, catalog, options)
      : importShared(transaction, catalog, dryRun));
    if (!dryRun) await recordImport(transaction, catalog, outcome, options.organization);
    const { entries, changes, ...others } = outcome;
    const count = (wanted: CatalogChange['action']): number => changes.filter(({ action }) => action === wanted).length;
    const [created, updated] = [count('created'), count('updated')];
    return {
      kind: catalog.kind,
      source: catalog.source,
      applied: !dryRun,
      entries,
      created,
      updated,
      unchanged: entries - created - updated,
      deactivated: count('deactivated'),
      ...others,
      ...(dryRun && { changes }),
    };
  });

async function recordImport(
  em: EntityManager,
  { kind, source: { name, version, licence } }: Catalog,
  { entries, regulation }: Outcome,
  organization: number | undefined,
): Promise<void> {
  const owner = regulation === undefined ? null : (organization ?? null);
  await sql`
    INSERT INTO catalog_import (organization_id, kind, name, version, licence, entries)
    VALUES (${owner}, ${kind}, ${name}, ${version}, ${licence}, ${entries})
    ON CONFLICT (kind, organization_id, name, version) DO UPDATE
    SET licence = excluded.licence, entries = excluded.entries, imported_at = clock_timestamp()`.execute(
    em.getKysely(),
  );
}

async function importRegulation(
  em: EntityManager,
  { regulation, sections, source }: RegulationCatalog,
  { organization, dryRun, mappingsFrom }: ImportOptions,
): Promise<Outcome> {
  if (organization === undefined) throw new Error('A regulation belongs to an organization.');
  const actor = operatorOf(organization);
  const edition = { ...regulation, version: source.version, sections };
  const taken =
    mappingsFrom && (await carriedMappings(em, actor, mappingsFrom.regulation, sections, mappingsFrom.pairs));
  const difference = await compareEdition(em, actor, edition, taken?.countermeasures);
  if (mappingsFrom && difference.regulation?.id === mappingsFrom.regulation)
    throw new Invalid({ 'mappings-from': [`"${mappingsFrom.regulation}" is the edition that is imported.`] });
  return {
    entries: sections.length,
    changes: difference.sections.map(({ code, title, action, changes }) => ({ id: code, title, action, changes })),
    regulation: dryRun ? (difference.regulation?.id ?? null) : await saveEdition(em, actor, edition, difference),
    ...(mappingsFrom &&
      taken && { mappings: { from: mappingsFrom.regulation, carried: taken.carried, left: taken.left } }),
  };
}

async function importShared(em: EntityManager, catalog: SharedCatalog, dryRun: boolean): Promise<Outcome> {
  const changes = await compareCatalog(em, catalog);
  if (!dryRun) await writeShared(em, catalog);
  const entries = 'cwes' in catalog ? catalog.cwes : 'capecs' in catalog ? catalog.capecs : catalog.entries;
  return { entries: entries.length, changes };
}

async function writeShared(em: EntityManager, catalog: SharedCatalog): Promise<void> {
  const tables = new BuiltInTables(em);
  if ('entries' in catalog) {
    const { domain, entries, framework: slug, source } = catalog;
    const framework = await findFramework(em, slug);
    await loadFrameworkEntries(tables, framework.id, domain, entries);
    const version = versionWith(framework.version, domain, source.version);
    await sql`UPDATE threat_framework SET version = ${version} WHERE id = ${framework.id}`.execute(em.getKysely());
    return;
  }
  if ('cwes' in catalog) await loadCwes(tables, catalog.cwes);
  else await loadCapecs(tables, catalog.capecs);
  await relateCwes(tables);
}

/** The version of a framework after an import; for a part of it, only that part's edition changes. */
function versionWith(present: string, domain: string, version: string): string {
  if (domain === '') return version;
  const parts = present.split(', ').filter((part) => part !== '');
  const index = parts.findIndex((part) => part.startsWith(`${domain} `));
  return parts.toSpliced(index === -1 ? parts.length : index, index === -1 ? 0 : 1, `${domain} ${version}`).join(', ');
}

async function findFramework(
  em: EntityManager,
  slug: string,
): Promise<{ readonly id: number; readonly version: string }> {
  const { rows } = await sql<{ id: number; version: string }>`
    SELECT id, version FROM threat_framework WHERE slug = ${slug}`.execute(em.getKysely());
  const [framework] = rows;
  if (!framework) throw new Error(`The framework ${slug} has not been loaded.`);
  return framework;
}
