import { type Kysely, sql } from 'kysely';

/** Whether the database is reachable and has the schema of this release. */
export async function schemaState<Schema>(
  database: Kysely<Schema>,
  migrations: readonly { readonly name: string }[],
): Promise<'ok' | 'migrations are missing' | 'not reachable'> {
  try {
    const [table] = (
      await sql<{ found: boolean }>`SELECT to_regclass('mikro_orm_migrations') IS NOT NULL AS found`.execute(database)
    ).rows;
    // The database was never set up.
    if (!table?.found) return 'migrations are missing';
    const { rows } = await sql<{ name: string }>`SELECT name FROM mikro_orm_migrations`.execute(database);
    const executed = new Set(rows.map((row) => row.name));
    return migrations.every(({ name }) => executed.has(name)) ? 'ok' : 'migrations are missing';
  } catch {
    // Other users of the database log the reason.
    return 'not reachable';
  }
}
