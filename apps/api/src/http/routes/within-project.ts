import { projectProjection } from '#domain/projects/project/project.projection.js';
import type { PathItem } from './route.decorators.js';

/** The project of a path, for routes within it. */
export const WITHIN_PROJECT: readonly PathItem[] = [{ parameter: 'project', projection: projectProjection }];
