/** The title of a job in activities. */
export const exportTitle = (id: string | number): string => `Export ${id}`;

/**
 * The storage key of a job's file. Each attempt writes its own file, so that a worker that lost its lease overwrites
 * nothing.
 */
export const exportFileKey = (organizationId: number, id: number, fence: number): string =>
  `exports/${organizationId}/${id}-${fence}.zip`;
