import { projectCountermeasureProjection } from '#domain/projects/project-countermeasure/project-countermeasure.projection.js';
import type { PathItem } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';

/** The project in the path, and a countermeasure in it. */
export const COUNTERMEASURE: readonly PathItem[] = [
  ...WITHIN_PROJECT,
  { parameter: 'task', projection: projectCountermeasureProjection },
];
