/** What activities call a job. */
export const exportTitle = (id: string | number): string => `Export ${id}`;

/** Where a job's file is kept. Each attempt writes a file of its own, so that a late worker overwrites no other. */
export const exportFileKey = (organizationId: number, id: number, fence: number): string =>
  `exports/${organizationId}/${id}-${fence}.zip`;
