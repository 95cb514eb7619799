import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type Actor, fullName } from '../../kernel/actor.js';
import { findIdentities } from '../../kernel/find-identities.js';
import { Invalid, missingMessages } from '../../kernel/domain-errors.js';
import type { RowOf } from '../../kernel/tables.js';
import type { User } from '../../access/user/user.entity.js';

/** Internal id of the phase that a field names, which stays until the transaction ends. Throws `Invalid`. */
export async function resolvePhase(em: EntityManager, actor: Actor, id: string): Promise<number> {
  const found = (await findIdentities(em, actor, 'phase', [id], { hold: true })).get(id);
  if (found === undefined) throw new Invalid({ phase: missingMessages(id) });
  return found;
}

/** A status that a countermeasure can have. */
export interface TaskStatus {
  readonly id: number;
  readonly itemId: string;
  readonly name: string;
}

/** The status that a field names: by id, meaning, name or slug, in any case. Throws `Invalid`. */
export async function resolveStatus(em: EntityManager, given: string): Promise<TaskStatus> {
  const wanted = given.trim().toLowerCase();
  const { rows } = await sql<TaskStatus>`
    SELECT id, item_id AS "itemId", name FROM task_status
    WHERE ${wanted} IN (lower(item_id), lower(meaning), lower(name), slug)`.execute(em.getKysely());
  if (!rows[0]) throw new Invalid({ status: missingMessages(given) });
  return rows[0];
}

/** A user that something is assigned to. */
export interface Assignee {
  readonly id: number;
  readonly name: string;
}

/**
 * The users of the actor's organization with these e-mails, each once: those who are active, and those who do the
 * countermeasure already. Throws `Invalid` with all that are unknown.
 *
 * @param identity internal id of the countermeasure
 */
export async function resolveAssignees(
  em: EntityManager,
  actor: Actor,
  emails: readonly string[],
  identity: number,
): Promise<readonly Assignee[]> {
  const wanted = new Map(emails.map((email) => [email.trim().toLowerCase(), email]));
  const { rows } = await sql<Pick<RowOf<typeof User>, 'id' | 'email' | 'first_name' | 'last_name'>>`
    SELECT id, email, first_name, last_name FROM user_account
    WHERE organization_id = ${actor.organizationId} AND lower(email) = ANY(${[...wanted.keys()]}::text[])
      AND (is_active OR id IN (
        SELECT user_id FROM project_countermeasure_assignee WHERE project_countermeasure_id = ${identity}))
    FOR KEY SHARE`.execute(em.getKysely());
  for (const { email } of rows) wanted.delete(email.toLowerCase());
  if (wanted.size) throw new Invalid({ assigned_to: [...wanted.values()].flatMap(missingMessages) });
  return rows.map((row) => ({ id: row.id, name: fullName(row.first_name, row.last_name) }));
}
