import { sql } from 'kysely';
import type { ReferenceTables } from './reference-tables.js';
import { recordset, type ShippedTables } from './shipped-tables.js';

/** CAPECs by the CWE that they make use of. */
function capecsByCwe({ capecs }: ReferenceTables): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const { id, cwes } of capecs) for (const cwe of cwes) found.set(cwe, [...(found.get(cwe) ?? []), id]);
  return found;
}

async function loadCwes(tables: ShippedTables, reference: ReferenceTables): Promise<void> {
  const capecs = capecsByCwe(reference);
  const rows = reference.cwes.map((cwe) => ({ ...cwe, capecs: capecs.get(cwe.id) ?? [] }));
  const columns = {
    id: 'integer',
    title: 'text',
    abstraction: 'text',
    status: 'text',
    parents: 'bigint[]',
    capecs: 'bigint[]',
  };
  await tables.run(
    'cwe',
    sql<{ id: string }>`
      INSERT INTO cwe AS present (id, title, abstraction, status, parents, capecs)
      SELECT * FROM ${recordset(rows, columns)}
      ON CONFLICT (id) DO UPDATE SET title = excluded.title, abstraction = excluded.abstraction,
        status = excluded.status, parents = excluded.parents, capecs = excluded.capecs
      WHERE (present.title, present.abstraction, present.status, present.parents, present.capecs)
        <> (excluded.title, excluded.abstraction, excluded.status, excluded.parents, excluded.capecs)
      RETURNING present.id::text`,
  );
}

async function loadCapecs(tables: ShippedTables, { capecs }: ReferenceTables): Promise<void> {
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
      WHERE (present.title, present.abstraction, present.likelihood, present.severity, present.cwes)
        IS DISTINCT FROM (excluded.title, excluded.abstraction, excluded.likelihood, excluded.severity, excluded.cwes)
      RETURNING present.id::text`,
  );
}

async function loadFrameworks(tables: ShippedTables, { frameworks }: ReferenceTables): Promise<void> {
  const columns = { id: 'integer', slug: 'text', name: 'text', version: 'text', url: 'text' };
  await tables.run(
    'threat_framework',
    sql<{ id: string }>`
      INSERT INTO threat_framework AS present (id, slug, name, version, url)
      SELECT * FROM ${recordset(frameworks, columns)}
      ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, name = excluded.name, version = excluded.version, url = excluded.url
      WHERE (present.slug, present.name, present.version, present.url)
        <> (excluded.slug, excluded.name, excluded.version, excluded.url)
      RETURNING present.id::text`,
  );

  const entries = frameworks.flatMap((framework) =>
    framework.entries.map(({ id, name, url }, index) => ({
      framework_id: framework.id,
      entry_id: id,
      name,
      url,
      position: index + 1,
    })),
  );
  const entryColumns = { framework_id: 'integer', entry_id: 'text', name: 'text', url: 'text', position: 'integer' };
  await tables.run(
    'threat_framework_entry',
    sql<{ id: string }>`
      INSERT INTO threat_framework_entry AS present (framework_id, entry_id, name, url, position)
      SELECT * FROM ${recordset(entries, entryColumns)}
      ON CONFLICT (framework_id, entry_id) DO UPDATE
      SET name = excluded.name, url = excluded.url, position = excluded.position
      WHERE (present.name, present.url, present.position) <> (excluded.name, excluded.url, excluded.position)
      RETURNING concat_ws('/', present.framework_id, present.entry_id) AS id`,
  );
}

/** Loads the public tables. What a later one no longer has stays, since threats and weaknesses may name it. */
export async function loadPublicTables(tables: ShippedTables, reference: ReferenceTables): Promise<void> {
  await loadCwes(tables, reference);
  await loadCapecs(tables, reference);
  await loadFrameworks(tables, reference);
}
