import { defineEntity, p } from '@mikro-orm/core';
import { key, references, timestamp } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import { libraryUpgradeMachine } from './library-upgrade.machine.js';

/** A field that both a release and an organization have changed, and the organization's decision. */
export const LibraryUpgrade = defineEntity({
  name: 'LibraryUpgrade',
  tableName: 'library_upgrade',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    releaseChangeId: references('release_change'),
    status: p.enum(libraryUpgradeMachine.states).default(libraryUpgradeMachine.definition.initial),
    resolvedAt: timestamp().nullable(),
    resolvedBy: references('user_account').nullable(),
  },
  uniques: [{ properties: ['releaseChangeId', 'organizationId'] }],
  indexes: [
    { name: 'library_upgrade_organization', properties: ['organizationId', 'status'] },
    { name: 'library_upgrade_resolved_by', properties: ['resolvedBy'], where: 'resolved_by IS NOT NULL' },
  ],
});
