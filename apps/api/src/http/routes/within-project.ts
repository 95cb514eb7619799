import { projectProjection } from '#domain/projects/project/project.projection.js';
import type { PathItem } from './route.decorators.js';

/** The project in the path, for routes within a project. */
export const WITHIN_PROJECT: readonly PathItem[] = [{ parameter: 'project', projection: projectProjection }];
