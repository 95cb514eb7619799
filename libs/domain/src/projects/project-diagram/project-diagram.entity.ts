import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, updatedAt } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

export const ProjectDiagram = defineEntity({
  name: 'ProjectDiagram',
  tableName: 'project_diagram',
  ...rowsOf({ project_id: 'project' }),
  properties: {
    id: key(),
    projectId: references('project', { onDelete: 'cascade' }),
    name: p.text(),
    diagramData: p.json<object>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [{ name: 'project_diagram_project', properties: ['projectId', 'id'] }],
});
