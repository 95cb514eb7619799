import { defineEntity, p } from '@mikro-orm/core';
import { references, timestamp } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/** A source of an attribute of a project. The project has the attribute as long as there is a source. */
export const ProjectAttributeSource = defineEntity({
  name: 'ProjectAttributeSource',
  tableName: 'project_attribute_source',
  ...rowsOf({ project_id: 'project' }),
  properties: {
    projectId: references('project', { onDelete: 'cascade' }).primary(),
    attributeId: references('attribute', { onDelete: 'cascade' }).primary(),
    type: p.enum(['survey', 'component', 'implied', 'manual'] as const).primary(),
    /** The public id of the answer or component; empty for a manual source. */
    ref: p.text().primary().default(''),
    reason: p.text().default(''),
    addedBy: references('user_account').nullable(),
    addedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
  indexes: [{ name: 'project_attribute_source_attribute', properties: ['attributeId'] }],
});
