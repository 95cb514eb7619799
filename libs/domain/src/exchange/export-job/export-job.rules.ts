/** What went wrong: in which file, row and field, as far as it is known, and why. */
export interface ExportError {
  readonly file: string | null;
  readonly row: number | null;
  readonly field: string | null;
  readonly details: string;
}

/** An error of the whole job. */
export const exportError = (details: string): ExportError => ({ file: null, row: null, field: null, details });

/** What activities call a job. */
export const exportTitle = (id: string | number): string => `Export ${id}`;

/** Where a job's file is kept. Each attempt writes a file of its own, so that a late worker overwrites no other. */
export const exportFileKey = (organizationId: number, id: number, fence: number): string =>
  `exports/${organizationId}/${id}-${fence}.zip`;
