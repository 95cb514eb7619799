import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { computed, key, references, uniqueIndex, updatedAt } from '../../kernel/schema/columns.js';
import { ownRows, rowsOf } from '../../kernel/schema/policies.js';

/** A group of users of one organization. Its members have its role in addition to their own. */
export const Group = defineEntity({
  name: 'Group',
  tableName: 'user_group',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    number: p.integer(),
    itemId: computed(`'G' || number::text`),
    name: p.text(),
    description: p.text().default(''),
    roleId: references('global_role').nullable(),
    updatedAt: updatedAt(),
  },
  uniques: [{ properties: ['organizationId', 'number'] }],
  indexes: [uniqueIndex('user_group_name', 'user_group (organization_id, lower(name))')],
});

export type Group = InferEntity<typeof Group>;

/** The membership of a user in a group. */
export const GroupMember = defineEntity({
  name: 'GroupMember',
  tableName: 'group_member',
  ...rowsOf({ group_id: 'user_group' }),
  properties: {
    groupId: references('user_group', { onDelete: 'cascade' }).primary(),
    userId: references('user_account', { onDelete: 'cascade' }).primary(),
    /** The provider whose group gives the membership; null if a person has given it. */
    identityProviderId: references('identity_provider').nullable(),
  },
  indexes: [
    { name: 'group_member_identity_provider', properties: ['identityProviderId'] },
    { name: 'group_member_user', properties: ['userId'] },
  ],
});
