import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type Actor, fullName } from '../../kernel/actor.js';
import { oneOf, tables } from '../../kernel/tables.js';
import { Group } from '../../access/group/group.entity.js';
import { User } from '../../access/user/user.entity.js';
import { type FieldErrors, Invalid, missingMessages } from '../../kernel/domain-errors.js';
import type { ProjectRole } from '../project-access/project-roles.js';
import { userItemId } from '../../kernel/item-id.js';
import { DEFAULT_MEMBER_ROLE, type GroupMemberInput, type UserMemberInput } from './project-members.fields.js';

/** A member of a project, or a default member of a business unit: a user or a group that exists. */
export interface Member {
  readonly kind: 'user' | 'group';
  readonly id: number;
  /** The id in the data of activities. */
  readonly itemId: string;
  readonly name: string;
  readonly role: ProjectRole;
}

/** Users of the actor's organization, by number or by e-mail, whatever the case of its letters. */
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
type Found = { readonly member: Member } | { readonly wrong: FieldErrors };

/** The members in a list, without duplicates. Throws `Invalid` with the errors of each entry. */
function membersOf(field: string, found: readonly Found[]): Member[] {
  const members = new Map<number, Member>();
  const errors = found.map((entry): FieldErrors => {
    if ('wrong' in entry) return entry.wrong;
    const { member } = entry;
    const before = members.get(member.id);
    if (before && before.role !== member.role) return { role: ['The same member is listed with another role.'] };
    members.set(member.id, member);
    return {};
  });
  if (errors.some((entry) => Object.keys(entry).length)) throw new Invalid({ [field]: errors });
  return [...members.values()];
}

/** The users of the actor's organization that a body lists in `field`. Throws `Invalid`. */
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
    entries.map(({ id, email, role = DEFAULT_MEMBER_ROLE }): Found => {
      if (id === undefined && email === undefined) return { wrong: { email: ['This field is required, or "id".'] } };
      const row = id === undefined ? byEmail.get(String(email).toLowerCase()) : byId.get(id);
      if (!row)
        return {
          wrong: id === undefined ? { email: missingMessages(String(email)) } : { id: missingMessages(String(id)) },
        };
      if (email !== undefined && row.email.toLowerCase() !== email.toLowerCase())
        return { wrong: { email: ['This is not the e-mail of the user with this id.'] } };
      const name = fullName(row.first_name, row.last_name);
      return { member: { kind: 'user', id: row.id, itemId: userItemId(row.id), name, role } };
    }),
  );
}

/** The groups of the actor's organization that a body names in `field`. Throws `Invalid`. */
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
    entries.map(({ id, role = DEFAULT_MEMBER_ROLE }): Found => {
      const row = byId.get(id);
      if (!row) return { wrong: { id: missingMessages(id) } };
      return { member: { kind: 'group', id: row.id, itemId: row.item_id, name: row.name, role } };
    }),
  );
}
