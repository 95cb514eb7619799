import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** Folders of the storage in which every file belongs to a row. */
export const KEPT_FOLDERS = ['exports', 'imports'] as const;

/** Every column that names a file of the storage, by its key. */
export const FILE_KEYS = [
  { table: 'export_job', column: 'file_key' },
  { table: 'import_job', column: 'file_key' },
] as const;

/** Those of these keys that no row knows. */
export async function findUnknownFiles(em: EntityManager, keys: readonly string[]): Promise<string[]> {
  const unknown = FILE_KEYS.map(
    ({ table, column }) => sql`NOT EXISTS (SELECT FROM ${sql.table(table)} WHERE ${sql.ref(column)} = key)`,
  );
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM unnest(${[...keys]}::text[]) AS key WHERE ${sql.join(unknown, sql` AND `)}`.execute(em.getKysely());
  return rows.map((row) => row.key);
}
