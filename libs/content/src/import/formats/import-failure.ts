import { type ImportError, importError } from '#domain/exchange/import-job/import-job.rules.js';

/** Files that can't be imported, for reasons that the user can act on. */
export class ImportFailure extends Error {
  constructor(
    readonly errors: readonly ImportError[],
    options?: ErrorOptions,
  ) {
    super(errors[0]?.details ?? 'The files can not be imported.', options);
    this.name = 'ImportFailure';
  }
}

/** A reason why a file can't be read any further. */
export const unreadable = (file: string | null, details: string, row: number | null = null): ImportFailure =>
  new ImportFailure([file === null ? importError(details) : { file, row, field: null, details }]);
