import { defineEntity, p } from '@mikro-orm/core';
import { key, references, uniqueIndex } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';
import { PROJECT_ROLES } from '../../kernel/permissions.js';

/** A member of a business unit. With a role, the member is added to each new project of the unit. */
export const BusinessUnitMember = defineEntity({
  name: 'BusinessUnitMember',
  tableName: 'business_unit_member',
  ...rowsOf({ business_unit_id: 'business_unit' }),
  properties: {
    id: key(),
    businessUnitId: references('business_unit', { onDelete: 'cascade' }),
    userId: references('user_account', { onDelete: 'cascade' }).nullable(),
    groupId: references('user_group', { onDelete: 'cascade' }).nullable(),
    projectRole: p.enum(PROJECT_ROLES).nullable(),
    /** The provider whose group gives the role; null if a person has given it. */
    identityProviderId: references('identity_provider').nullable(),
  },
  indexes: [
    { name: 'business_unit_member_group', properties: ['groupId'] },
    { name: 'business_unit_member_identity_provider', properties: ['identityProviderId'] },
    { name: 'business_unit_member_user', properties: ['userId'] },
    uniqueIndex(
      'business_unit_member_who',
      'business_unit_member (business_unit_id, user_id, group_id, (project_role IS NULL)) NULLS NOT DISTINCT',
    ),
  ],
  checks: [{ name: 'business_unit_member_check', expression: 'num_nonnulls(user_id, group_id) = 1' }],
});

/** A user or group with a role in a project. */
export const ProjectMember = defineEntity({
  name: 'ProjectMember',
  tableName: 'project_member',
  ...rowsOf({ project_id: 'project' }),
  properties: {
    id: key(),
    projectId: references('project', { onDelete: 'cascade' }),
    userId: references('user_account', { onDelete: 'cascade' }).nullable(),
    groupId: references('user_group', { onDelete: 'cascade' }).nullable(),
    role: p.enum(PROJECT_ROLES),
    /** The provider whose group gives the role; null if a person has given it. */
    identityProviderId: references('identity_provider').nullable(),
  },
  indexes: [
    { name: 'project_member_group', properties: ['groupId', 'projectId'] },
    { name: 'project_member_identity_provider', properties: ['identityProviderId'] },
    { name: 'project_member_user', properties: ['userId', 'projectId'] },
    uniqueIndex('project_member_who', 'project_member (project_id, user_id, group_id) NULLS NOT DISTINCT'),
  ],
  checks: [{ name: 'project_member_check', expression: 'num_nonnulls(user_id, group_id) = 1' }],
});
