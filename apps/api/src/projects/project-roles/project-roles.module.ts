import { projectRoleProjection } from '#domain/projects/project-access/project-role.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';

export const ProjectRolesModule = readOnlyModule({
  name: 'ProjectRoles',
  path: 'project-roles',
  tag: 'Project roles',
  family: 'projects',
  projection: projectRoleProjection,
  summaries: { list: 'List the roles that members can have in projects' },
});
