import { InvalidFiles } from '#files/invalid-files.js';
import { jobError, type JobError } from '#domain/exchange/job/job.rules.js';

/** Maximum number of errors that are listed; further ones are only counted. */
const MAX_LISTED = 1000;
/** Maximum length of an error, which may quote a value of any length. */
const MAX_DETAILS_LENGTH = 1000;

/** Collects all errors in the files. */
export class ImportErrorCollector {
  private readonly listed: JobError[] = [];
  private count = 0;
  private permanent = false;

  add(error: JobError): void {
    this.count += 1;
    if (this.listed.length < MAX_LISTED)
      this.listed.push({ ...error, details: error.details.slice(0, MAX_DETAILS_LENGTH) });
  }

  /** Adds the errors of a file that could not be read any further. */
  addUnreadable(error: InvalidFiles): void {
    this.permanent ||= error.permanent;
    for (const fileError of error.errors) this.add(fileError);
  }

  /** Throws `InvalidFiles` if there are errors. */
  throwIfAny(): void {
    if (!this.count) return;
    const others = this.count - this.listed.length;
    throw new InvalidFiles(
      [
        ...this.listed,
        ...(others ? [jobError(`And ${others} more ${others === 1 ? 'error' : 'errors'}: ${this.count} in all.`)] : []),
      ],
      { permanent: this.permanent },
    );
  }
}
