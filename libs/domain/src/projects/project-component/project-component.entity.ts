import { defineEntity } from '@mikro-orm/core';
import { numberList, references, timestamp } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/** A component that the answers bring in, with what it implements and introduces as the project last took it. */
export const ProjectComponent = defineEntity({
  name: 'ProjectComponent',
  tableName: 'project_component',
  ...rowsOf({ project_id: 'project' }),
  properties: {
    projectId: references('project', { onDelete: 'cascade' }).primary(),
    componentId: references('component', { onDelete: 'cascade' }).primary(),
    tasksImplemented: numberList(),
    tasksIntroduced: numberList(),
    impliedAttributes: numberList(),
    addedAt: timestamp().defaultRaw('clock_timestamp()'),
    takenAt: timestamp().defaultRaw('clock_timestamp()'),
    /** Of `tasksImplemented`, those that this component has marked as complete, or found so. */
    tasksMarked: numberList(),
  },
  indexes: [{ name: 'project_component_component', properties: ['componentId'] }],
});
