import { defineEntity } from '@mikro-orm/core';
import { numberList, references, timestamp } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/** A component that the answers add, with its lists as the project last took them from the library. */
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
    /** The countermeasures in `tasksImplemented` that this component has marked as complete or found complete. */
    tasksMarked: numberList(),
  },
  indexes: [{ name: 'project_component_component', properties: ['componentId'] }],
});
