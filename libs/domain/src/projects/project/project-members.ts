import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type Actor, fullName } from '../../kernel/actor.js';
import { oneOf, tables } from '../../kernel/tables.js';
import { Group } from '../../access/group/group.entity.js';
import { User } from '../../access/user/user.entity.js';
import { type FieldErrors, Invalid, missingMessages } from '../../kernel/domain-errors.js';
import type { ProjectRole } from '../../kernel/permissions.js';
import { userItemId } from '../../kernel/item-id.js';
import { DEFAULT_MEMBER_ROLE, type GroupMemberInput, type UserMemberInput } from './project-members.fields.js';

/** An existing user or group that is a member of a project, or a default member of a business unit. */
export interface Member {
  readonly kind: 'user' | 'group';
  readonly id: number;
  /** The id that activities use. */
  readonly itemId: string;
  readonly name: string;
  readonly role: ProjectRole;
  /** The identity provider that gives the role; null or undefined if a person does. */
  readonly providerId?: number | null;
}

/** Finds users of the actor's organization by id or by e-mail, ignoring case. */
const findUsers = (em: EntityManager, actor: Actor, ids: readonly number[], emails: readonly string[]) =>
  tables(em, User)
    .selectFrom('user_account')
    .select(['id', 'email', 'first_name', 'last_name'])
    .where('organization_id', '=', actor.organizationId)
    .where((user) =>
      user.or([
        user('id', '=', oneOf(ids)),
        sql<boolean>`lower(email) IN (SELECT lower(e) FROM unnest(${emails}::text[]) e)`,
      ]),
    )
    .execute();

/** The member that an entry of a list refers to, or the errors of the entry. */
type ResolvedEntry = { readonly member: Member } | { readonly errors: FieldErrors };

/** The members in a list, without duplicates. Throws `Invalid` with the errors of each entry. */
function membersOf(field: string, entries: readonly ResolvedEntry[]): Member[] {
  const members = new Map<number, Member>();
  const errors = entries.map((entry): FieldErrors => {
    if ('errors' in entry) return entry.errors;
    const { member } = entry;
    const duplicate = members.get(member.id);
    if (duplicate && duplicate.role !== member.role) return { role: ['The same member is listed with another role.'] };
    members.set(member.id, member);
    return {};
  });
  if (errors.some((entry) => Object.keys(entry).length)) throw new Invalid({ [field]: errors });
  return [...members.values()];
}

/** Finds the users that a request body lists in `field`. Throws `Invalid`. */
export async function resolveUserMembers(
  em: EntityManager,
  actor: Actor,
  field: string,
  entries: readonly UserMemberInput[],
): Promise<Member[]> {
  const ids = entries.flatMap(({ id }) => id ?? []);
  const emails = entries.flatMap(({ email }) => email ?? []);
  const rows = entries.length ? await findUsers(em, actor, ids, emails) : [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byEmail = new Map(rows.map((row) => [row.email.toLowerCase(), row]));
  return membersOf(
    field,
    entries.map(({ id, email, role = DEFAULT_MEMBER_ROLE }): ResolvedEntry => {
      if (id === undefined && email === undefined) return { errors: { email: ['This field or "id" is required.'] } };
      const row = id === undefined ? byEmail.get(String(email).toLowerCase()) : byId.get(id);
      if (!row)
        return {
          errors: id === undefined ? { email: missingMessages(String(email)) } : { id: missingMessages(String(id)) },
        };
      if (email !== undefined && row.email.toLowerCase() !== email.toLowerCase())
        return { errors: { email: ['This is not the e-mail of the user with this id.'] } };
      const name = fullName(row.first_name, row.last_name);
      return { member: { kind: 'user', id: row.id, itemId: userItemId(row.id), name, role } };
    }),
  );
}

/** Finds the groups that a request body lists in `field`. Throws `Invalid`. */
export async function resolveGroupMembers(
  em: EntityManager,
  actor: Actor,
  field: string,
  entries: readonly GroupMemberInput[],
): Promise<Member[]> {
  const rows = await tables(em, Group)
    .selectFrom('user_group')
    .select(['id', 'item_id', 'name'])
    .where('organization_id', '=', actor.organizationId)
    .where('item_id', '=', oneOf(entries.map(({ id }) => id)))
    .execute();
  const byId = new Map(rows.map((row) => [row.item_id, row]));
  return membersOf(
    field,
    entries.map(({ id, role = DEFAULT_MEMBER_ROLE }): ResolvedEntry => {
      const row = byId.get(id);
      if (!row) return { errors: { id: missingMessages(id) } };
      return { member: { kind: 'group', id: row.id, itemId: row.item_id, name: row.name, role } };
    }),
  );
}
