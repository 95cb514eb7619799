import { defineEntity } from '@mikro-orm/core';
import { createdAt, references } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/** A threat that is relevant to a project. */
export const ProjectThreat = defineEntity({
  name: 'ProjectThreat',
  tableName: 'project_threat',
  ...rowsOf({ project_id: 'project' }),
  properties: {
    projectId: references('project', { onDelete: 'cascade' }).primary(),
    threatId: references('threat', { onDelete: 'cascade' }).primary(),
    createdAt: createdAt(),
  },
  indexes: [{ name: 'project_threat_threat', properties: ['threatId'] }],
});
