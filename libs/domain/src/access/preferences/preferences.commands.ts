import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { errorOfBoundedObject, unstorableError } from '../../kernel/fields/free-fields.js';
import { tables } from '../../kernel/tables.js';
import { UserPreferences } from './preferences.entity.js';

/** Bytes of all preferences of a user as JSON. */
export const MAX_PREFERENCES_BYTES = 16_384;

type Preferences = Readonly<Record<string, unknown>>;

/** The preferences of the actor. */
export async function preferencesOf(em: EntityManager, actor: Actor): Promise<Preferences> {
  const row = await tables(em, UserPreferences)
    .selectFrom('user_preferences')
    .select('preferences')
    .where('user_id', '=', actor.id)
    .executeTakeFirst();
  return (row?.preferences ?? {}) as Preferences;
}

/**
 * Merges values into the preferences of the actor; null removes a name. Returns all preferences. They are the user's
 * own notes about pages, so no activity is recorded. Throws `Invalid`.
 */
export async function changePreferences(em: EntityManager, actor: Actor, changes: Preferences): Promise<Preferences> {
  rejectIf(unstorableError(changes));
  const names = Object.keys(changes);
  const removed = names.filter((name) => changes[name] === null);
  const values = Object.fromEntries(names.flatMap((name) => (changes[name] === null ? [] : [[name, changes[name]]])));
  rejectIf(errorOfBoundedObject(values, MAX_PREFERENCES_BYTES));
  const { rows } = await sql<{ preferences: Preferences }>`
    INSERT INTO user_preferences AS stored (user_id, preferences) VALUES (${actor.id}, ${JSON.stringify(values)}::jsonb)
    ON CONFLICT (user_id) DO UPDATE
      SET preferences = (stored.preferences || excluded.preferences) - ${removed}::text[]
    RETURNING preferences`.execute(em.getKysely());
  const [{ preferences } = { preferences: values }] = rows;
  rejectIf(errorOfBoundedObject(preferences, MAX_PREFERENCES_BYTES));
  return preferences;
}

function rejectIf(error: string | undefined): void {
  if (error !== undefined) throw new Invalid({ non_field_errors: [error] });
}
