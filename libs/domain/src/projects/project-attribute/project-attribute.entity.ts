import { defineEntity, p } from '@mikro-orm/core';
import { references, timestamp } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/** Why a project has an attribute: each reason is a row, and the attribute goes with its last one. */
export const ProjectAttributeSource = defineEntity({
  name: 'ProjectAttributeSource',
  tableName: 'project_attribute_source',
  ...rowsOf({ project_id: 'project' }),
  properties: {
    projectId: references('project', { onDelete: 'cascade' }).primary(),
    attributeId: references('attribute', { onDelete: 'cascade' }).primary(),
    type: p.enum(['survey', 'component', 'implied', 'manual'] as const).primary(),
    /** Public id of the answer or component that brings it; empty for a manual one. */
    ref: p.text().primary().default(''),
    reason: p.text().default(''),
    addedBy: references('user_account').nullable(),
    addedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
  indexes: [{ name: 'project_attribute_source_attribute', properties: ['attributeId'] }],
});
