/** An error with its file, row and field, as far as they are known. */
export interface JobError {
  readonly file: string | null;
  readonly row: number | null;
  readonly field: string | null;
  readonly details: string;
}

/** An error of the whole job. */
export const jobError = (details: string): JobError => ({ file: null, row: null, field: null, details });
