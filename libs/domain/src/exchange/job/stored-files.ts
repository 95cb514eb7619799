import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** Storage folders in which every file belongs to a row. */
export const STORAGE_FOLDERS = ['exports', 'imports'] as const;

/** All columns that contain storage keys of files. */
export const FILE_KEYS = [
  { table: 'export_job', column: 'file_key' },
  { table: 'import_job', column: 'file_key' },
] as const;

/** Those of the keys that no row references. */
export async function findUnknownFiles(em: EntityManager, keys: readonly string[]): Promise<string[]> {
  const unknown = FILE_KEYS.map(
    ({ table, column }) => sql`NOT EXISTS (SELECT FROM ${sql.table(table)} WHERE ${sql.ref(column)} = key)`,
  );
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM unnest(${[...keys]}::text[]) AS key WHERE ${sql.join(unknown, sql` AND `)}`.execute(em.getKysely());
  return rows.map((row) => row.key);
}
