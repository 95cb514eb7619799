import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { jsonObject } from '#query/expressions.js';
import type { Sql } from '#query/query-context.js';
import type { Catalog } from './catalog.js';

type Value = string | number | boolean | null | readonly number[] | readonly string[];

/** The change of an entry, with the same words as the difference of an import. */
export interface CatalogChange {
  readonly id: string;
  readonly title: string;
  readonly action: 'created' | 'updated' | 'deactivated';
  readonly changes: Readonly<Record<string, { readonly from: Value; readonly to: Value }>>;
}

type Row = Readonly<Record<string, Value>> & { readonly id: string | number };

/** A catalog that all organizations share. */
export type SharedCatalog = Exclude<Catalog, { readonly sections: unknown }>;

/** The columns of a public table, as its catalog calls them. */
const columnsOf = (...names: readonly string[]): Sql =>
  jsonObject(Object.fromEntries(names.map((name) => [name, sql.ref(name)])));

const COLUMNS = {
  cwe: columnsOf('id', 'title', 'abstraction', 'status', 'parents'),
  capec: columnsOf('id', 'title', 'abstraction', 'likelihood', 'severity', 'cwes'),
};

const ENTRY_COLUMNS = jsonObject({
  id: sql`e.entry_id`,
  name: sql`e.name`,
  url: sql`e.url`,
  domain: sql`e.domain`,
  active: sql`e.active`,
});

async function presentRows(em: EntityManager, catalog: SharedCatalog): Promise<Row[]> {
  const statement =
    'entries' in catalog
      ? sql<{ entry: Row }>`SELECT ${ENTRY_COLUMNS} AS entry
          FROM threat_framework_entry e JOIN threat_framework f ON f.id = e.framework_id
          WHERE f.slug = ${catalog.framework} ORDER BY e.position`
      : sql<{ entry: Row }>`SELECT ${COLUMNS[catalog.kind]} AS entry FROM ${sql.table(catalog.kind)} ORDER BY id`;
  const { rows } = await statement.execute(em.getKysely());
  return rows.map(({ entry }) => entry);
}

function changesOf(present: Row | undefined, wanted: Readonly<Record<string, unknown>>): CatalogChange['changes'] {
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([field, to]) => {
      const from = present?.[field] ?? null;
      return field === 'id' || JSON.stringify(from) === JSON.stringify(to) ? [] : [[field, { from, to: to as Value }]];
    }),
  );
}

/**
 * Compares a catalog with the rows that all organizations share. Entries of a threat framework that its edition no
 * longer has are deactivated; other parts of the framework are left alone. CWE and CAPEC keep all their entries.
 */
export async function compareCatalog(em: EntityManager, catalog: SharedCatalog): Promise<CatalogChange[]> {
  const presentById = new Map((await presentRows(em, catalog)).map((row) => [row.id, row]));
  const entries =
    'cwes' in catalog
      ? catalog.cwes.map((cwe) => ({ wanted: cwe, title: cwe.title }))
      : 'capecs' in catalog
        ? catalog.capecs.map((capec) => ({ wanted: capec, title: capec.title }))
        : catalog.entries.map((entry) => ({ wanted: { ...entry, active: true }, title: entry.name }));
  const changed = entries.flatMap(({ wanted, title }): CatalogChange[] => {
    const present = presentById.get(wanted.id);
    const changes = changesOf(present, { ...wanted });
    const action = present ? 'updated' : 'created';
    return Object.keys(changes).length ? [{ id: String(wanted.id), title, action, changes }] : [];
  });
  if (!('entries' in catalog)) return changed;
  const ids = new Set(catalog.entries.map(({ id }) => id));
  const retired = [...presentById.values()]
    .filter(({ id, domain, active }) => active === true && domain === catalog.domain && !ids.has(String(id)))
    .map(({ id, name }): CatalogChange => ({
      id: String(id),
      title: String(name),
      action: 'deactivated',
      changes: { active: { from: true, to: false } },
    }));
  return [...changed, ...retired];
}
