import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type Actor, fullName } from '../../kernel/actor.js';
import { cleanLine } from '../../kernel/fields/field-checks.js';
import { findIdentities } from '../../kernel/items/find-identities.js';
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

/** The users that several countermeasures are to be assigned to. */
export interface Assignees {
  readonly users: readonly Assignee[];
  /** Addresses of inactive users, by the internal id of a countermeasure that is not assigned to them yet. */
  readonly rejected: ReadonlyMap<number, readonly string[]>;
}

/**
 * Finds users of the actor's organization by e-mail address, without duplicates. Active users can be assigned to any
 * countermeasure, others only to those that are assigned to them already. Throws `Invalid` with all addresses that no
 * countermeasure accepts.
 *
 * @param identities the internal ids of the countermeasures
 */
export async function resolveAssignees(
  em: EntityManager,
  actor: Actor,
  emails: readonly string[],
  identities: readonly number[],
): Promise<Assignees> {
  const requested = new Map(emails.map((email) => [cleanLine(email).toLowerCase(), email]));
  const { rows } = await sql<
    Pick<RowOf<typeof User>, 'id' | 'email' | 'first_name' | 'last_name' | 'is_active'> & { assigned: number[] }
  >`
    SELECT u.id, u.email, u.first_name, u.last_name, u.is_active, to_json(ARRAY(
      SELECT a.project_countermeasure_id FROM project_countermeasure_assignee a
      WHERE a.user_id = u.id AND a.project_countermeasure_id = ANY(${identities}::bigint[]))) AS assigned
    FROM user_account u
    WHERE u.organization_id = ${actor.organizationId} AND lower(u.email) = ANY(${[...requested.keys()]}::text[])
    FOR KEY SHARE OF u`.execute(em.getKysely());
  const found = new Map(rows.map((row) => [row.email.toLowerCase(), { ...row, assigned: new Set(row.assigned) }]));
  const accepts = (identity: number, email: string): boolean => {
    const user = found.get(email);
    return user !== undefined && (user.is_active || user.assigned.has(identity));
  };
  const accepted = (email: string): boolean =>
    identities.some((identity) => accepts(identity, email)) || found.get(email)?.is_active === true;
  const unknown = [...requested].filter(([email]) => !accepted(email));
  if (unknown.length) throw new Invalid({ assigned_to: unknown.flatMap(([, email]) => missingMessages(email)) });
  const inactive = [...requested].filter(([email]) => found.get(email)?.is_active === false);
  return {
    users: rows.map((row) => ({ id: row.id, name: fullName(row.first_name, row.last_name) })),
    rejected: new Map(
      identities.flatMap((identity) => {
        const rejected = inactive.filter(([email]) => !accepts(identity, email)).map(([, email]) => email);
        return rejected.length ? [[identity, rejected] as const] : [];
      }),
    ),
  };
}
