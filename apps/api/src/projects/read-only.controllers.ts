import { projectThreatProjection } from '#domain/projects/project-threat/project-threat.projection.js';
import { WITHIN_PROJECT } from '../http/routes/within-project.js';
import { projectWeaknessProjection } from '#domain/projects/project-weakness/project-weakness.projection.js';
import { taskStatusProjection } from '#domain/projects/task-status/task-status.projection.js';
import { readOnlyController } from '../http/resources/read-only.controller.js';

/** The resources of this context that can only be read. */
export const READ_ONLY_CONTROLLERS = [
  readOnlyController({
    name: 'ProjectThreats',
    path: 'projects/:project/threats',
    tag: 'Threats of projects',
    projection: projectThreatProjection,
    within: WITHIN_PROJECT,
    summaries: { list: 'List the threats of a project', item: 'Show a threat of a project' },
  }),
  readOnlyController({
    name: 'ProjectWeaknesses',
    path: 'projects/:project/problems',
    tag: 'Weaknesses of projects',
    projection: projectWeaknessProjection,
    within: WITHIN_PROJECT,
    summaries: { list: 'List the weaknesses of a project', item: 'Show a weakness of a project' },
  }),
  readOnlyController({
    name: 'TaskStatuses',
    path: 'task-statuses',
    tag: 'Task statuses',
    projection: taskStatusProjection,
    summaries: { list: 'List the statuses of countermeasures', item: 'Show a status' },
  }),
];
