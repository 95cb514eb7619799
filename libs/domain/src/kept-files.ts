import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** Folders of the storage in which every file belongs to a row. */
export const KEPT_FOLDERS = ['exports', 'imports'] as const;

/** Those of these keys that no row knows. */
export async function findUnknownFiles(em: EntityManager, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM unnest(${[...keys]}::text[]) AS key
    WHERE NOT EXISTS (SELECT FROM export_job WHERE file_key = key) AND NOT EXISTS (SELECT FROM import_job WHERE file_key = key)`.execute(
    em.getKysely(),
  );
  return rows.map((row) => row.key);
}
