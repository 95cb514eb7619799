import { projectWeaknessProjection } from '#domain/projects/project-weakness/project-weakness.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';

export const ProjectWeaknessesModule = readOnlyModule({
  name: 'ProjectWeaknesses',
  path: 'projects/:project/problems',
  tag: 'Weaknesses of projects',
  family: 'projects',
  projection: projectWeaknessProjection,
  within: WITHIN_PROJECT,
  summaries: { list: 'List the weaknesses of a project', item: 'Show a weakness of a project' },
});
