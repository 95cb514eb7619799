/** An error with its file, row and field, as far as they are known. */
export interface JobError {
  readonly file: string | null;
  readonly row: number | null;
  readonly field: string | null;
  readonly details: string;
}

/** An error of the whole job. */
export const jobError = (details: string): JobError => ({ file: null, row: null, field: null, details });

/** The title of a job in activities. */
export const exportTitle = (id: string | number): string => `Export ${id}`;

/**
 * The storage key of a job's file. Each attempt writes its own file, so that a worker that lost its lease overwrites
 * nothing.
 */
export const exportFileKey = (organizationId: number, id: number, fence: number): string =>
  `exports/${organizationId}/${id}-${fence}.zip`;
