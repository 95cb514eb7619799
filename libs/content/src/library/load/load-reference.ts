import { sql } from 'kysely';
import { numberOf } from '#domain/kernel/item-id.js';
import { Phase } from '#domain/library/phase/phase.entity.js';
import type { Library } from '../schema/library-schema.js';
import { recordset, type BuiltInTables } from './built-in-tables.js';

/** Loads categories and phases, which other content refers to. */
export async function loadReference(tables: BuiltInTables, { categories, phases }: Library): Promise<void> {
  // Names are unique, and two categories may swap theirs. No rows refer to categories, so changed ones are replaced.
  const builtIn = recordset(categories, { id: 'integer', name: 'text' });
  await tables.run(
    'category',
    sql<{
      id: string;
    }>`DELETE FROM category WHERE (id, name) NOT IN (SELECT id, name FROM ${builtIn}) RETURNING id::text`,
  );
  await tables.run(
    'category',
    sql<{
      id: string;
    }>`INSERT INTO category (id, name) SELECT id, name FROM ${builtIn} ON CONFLICT (id) DO NOTHING RETURNING id::text`,
  );

  await tables.mergeRows(
    Phase,
    phases.map(({ id, ...fields }) => ({ ...fields, number: numberOf(id), active: true })),
    'active',
  );
}
