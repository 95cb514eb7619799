import { projectThreatProjection } from '#domain/projects/project-threat/project-threat.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';

export const ProjectThreatsModule = readOnlyModule({
  name: 'ProjectThreats',
  path: 'projects/:project/threats',
  tag: 'Threats of projects',
  family: 'projects',
  projection: projectThreatProjection,
  within: WITHIN_PROJECT,
  summaries: { list: 'List the threats of a project', item: 'Show a threat of a project' },
});
