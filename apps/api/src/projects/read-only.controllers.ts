import { projectRoleProjection } from '#domain/projects/project-access/project-role.projection.js';
import { projectThreatProjection } from '#domain/projects/project-threat/project-threat.projection.js';
import { projectWeaknessProjection } from '#domain/projects/project-weakness/project-weakness.projection.js';
import { taskStatusProjection } from '#domain/projects/task-status/task-status.projection.js';
import { WITHIN_PROJECT } from '../http/routes/within-project.js';
import { readOnlyController } from '../http/resources/read-only-controller.js';

/** Resources that no one can write. */
export const readOnlyControllers = [
  readOnlyController({
    name: 'ProjectRoles',
    path: 'project-roles',
    tag: 'Project roles',
    family: 'projects',
    projection: projectRoleProjection,
    summaries: { list: 'List the roles that members can have in projects' },
  }),
  readOnlyController({
    name: 'ProjectThreats',
    path: 'projects/:project/threats',
    tag: 'Threats of projects',
    family: 'projects',
    projection: projectThreatProjection,
    within: WITHIN_PROJECT,
    summaries: { list: 'List the threats of a project', item: 'Show a threat of a project' },
  }),
  readOnlyController({
    name: 'ProjectWeaknesses',
    path: 'projects/:project/problems',
    tag: 'Weaknesses of projects',
    family: 'projects',
    projection: projectWeaknessProjection,
    within: WITHIN_PROJECT,
    summaries: { list: 'List the weaknesses of a project', item: 'Show a weakness of a project' },
  }),
  readOnlyController({
    name: 'TaskStatuses',
    path: 'task-statuses',
    tag: 'Task statuses',
    family: 'projects',
    projection: taskStatusProjection,
    summaries: { list: 'List the statuses of countermeasures', item: 'Show a status' },
  }),
];
