import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, references } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/** A repository that is to be scanned when a project is onboarded. */
export const OnboardingScan = defineEntity({
  name: 'OnboardingScan',
  tableName: 'onboarding_scan',
  ...rowsOf({ project_id: 'project' }),
  properties: {
    id: key(),
    projectId: references('project', { onDelete: 'cascade' }),
    connectorId: references('connector', { onDelete: 'set null' }).nullable(),
    repositoryUrl: p.text(),
    status: p.text(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'onboarding_scan_connector', properties: ['connectorId'] },
    { name: 'onboarding_scan_project', properties: ['projectId', 'id'] },
  ],
});
