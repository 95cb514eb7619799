/** An error in a file and its position; a null field means that it concerns the file as a whole. */
export interface FileError {
  readonly file: string | null;
  readonly row: number | null;
  readonly field: string | null;
  readonly details: string;
}

/** The files can't be read, for reasons that the user can fix. */
export class InvalidFiles extends Error {
  /** Whether the same files can never be read, so that their upload need not be kept for another attempt. */
  readonly permanent: boolean;

  constructor(
    readonly errors: readonly FileError[],
    { permanent = true, ...options }: ErrorOptions & { readonly permanent?: boolean } = {},
  ) {
    super(errors[0]?.details ?? 'The files cannot be read.', options);
    this.permanent = permanent;
    this.name = 'InvalidFiles';
  }
}

/** An error after which reading a file can't continue. */
export const unreadable = (file: string | null, details: string, row: number | null = null): InvalidFiles =>
  new InvalidFiles([{ file, row, field: null, details }]);
