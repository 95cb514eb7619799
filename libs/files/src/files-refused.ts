/** What is wrong in a file, and where: null where it is about the whole. */
export interface FileProblem {
  readonly file: string | null;
  readonly row: number | null;
  readonly field: string | null;
  readonly details: string;
}

/** Files that can't be taken, for reasons that the user can act on. */
export class FilesRefused extends Error {
  constructor(
    readonly errors: readonly FileProblem[],
    options?: ErrorOptions,
  ) {
    super(errors[0]?.details ?? 'The files can not be read.', options);
    this.name = 'FilesRefused';
  }
}

/** A reason why a file can't be read any further. */
export const unreadable = (file: string | null, details: string, row: number | null = null): FilesRefused =>
  new FilesRefused([{ file, row, field: null, details }]);
