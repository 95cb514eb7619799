import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type Actor, fullName } from '../../kernel/actor.js';
import { cleanLine } from '../../kernel/fields/field-checks.js';
import { findIdentities } from '../../kernel/find-identities.js';
import { Invalid, missingMessages } from '../../kernel/domain-errors.js';
import type { RowOf } from '../../kernel/tables.js';
import type { User } from '../../access/user/user.entity.js';

/** Finds the internal id of a phase, and locks it until the transaction ends. Throws `Invalid`. */
export async function resolvePhase(em: EntityManager, actor: Actor, id: string): Promise<number> {
  const phaseId = (await findIdentities(em, actor, 'phase', [id], { hold: true })).get(id);
  if (phaseId === undefined) throw new Invalid({ phase: missingMessages(id) });
  return phaseId;
}

export interface TaskStatus {
  readonly id: number;
  readonly itemId: string;
  readonly name: string;
}

/** Finds a status by id, meaning, name or slug, ignoring case. Throws `Invalid`. */
export async function resolveStatus(em: EntityManager, status: string): Promise<TaskStatus> {
  const term = status.trim().toLowerCase();
  const { rows } = await sql<TaskStatus>`
    SELECT id, item_id AS "itemId", name FROM task_status
    WHERE ${term} IN (lower(item_id), lower(meaning), lower(name), slug)`.execute(em.getKysely());
  if (!rows[0]) throw new Invalid({ status: missingMessages(status) });
  return rows[0];
}

export interface Assignee {
  readonly id: number;
  readonly name: string;
}

/**
 * Finds users of the actor's organization by e-mail address, without duplicates: those who are active, and those who
 * are assigned already. Throws `Invalid` with all unknown addresses.
 *
 * @param identity the internal id of the countermeasure
 */
export async function resolveAssignees(
  em: EntityManager,
  actor: Actor,
  emails: readonly string[],
  identity: number,
): Promise<readonly Assignee[]> {
  const unresolved = new Map(emails.map((email) => [cleanLine(email).toLowerCase(), email]));
  const { rows } = await sql<Pick<RowOf<typeof User>, 'id' | 'email' | 'first_name' | 'last_name'>>`
    SELECT id, email, first_name, last_name FROM user_account
    WHERE organization_id = ${actor.organizationId} AND lower(email) = ANY(${[...unresolved.keys()]}::text[])
      AND (is_active OR id IN (
        SELECT user_id FROM project_countermeasure_assignee WHERE project_countermeasure_id = ${identity}))
    FOR KEY SHARE`.execute(em.getKysely());
  for (const { email } of rows) unresolved.delete(email.toLowerCase());
  if (unresolved.size) throw new Invalid({ assigned_to: [...unresolved.values()].flatMap(missingMessages) });
  return rows.map((row) => ({ id: row.id, name: fullName(row.first_name, row.last_name) }));
}
