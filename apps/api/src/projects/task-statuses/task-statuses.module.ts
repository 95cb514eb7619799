import { taskStatusProjection } from '#domain/projects/task-status/task-status.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';

export const TaskStatusesModule = readOnlyModule({
  name: 'TaskStatuses',
  path: 'task-statuses',
  tag: 'Task statuses',
  family: 'projects',
  projection: taskStatusProjection,
  summaries: { list: 'List the statuses of countermeasures', item: 'Show a status' },
});
