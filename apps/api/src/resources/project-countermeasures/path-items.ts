import { projectProjection } from '#domain/project/project.projection.js';
import { projectCountermeasureProjection } from '#domain/project-countermeasure/project-countermeasure.projection.js';

/** The project of a path. */
export const PROJECT = [{ parameter: 'project', projection: projectProjection }];

/** The project of a path and a countermeasure in it. */
export const COUNTERMEASURE = [...PROJECT, { parameter: 'task', projection: projectCountermeasureProjection }];
