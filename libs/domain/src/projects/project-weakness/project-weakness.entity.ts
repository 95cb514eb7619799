import { defineEntity } from '@mikro-orm/core';
import { createdAt, references } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/** A weakness that is relevant to a project. */
export const ProjectWeakness = defineEntity({
  name: 'ProjectWeakness',
  tableName: 'project_weakness',
  ...rowsOf({ project_id: 'project' }),
  properties: {
    projectId: references('project', { onDelete: 'cascade' }).primary(),
    weaknessId: references('weakness', { onDelete: 'cascade' }).primary(),
    createdAt: createdAt(),
  },
  indexes: [{ name: 'project_weakness_weakness', properties: ['weaknessId'] }],
});
