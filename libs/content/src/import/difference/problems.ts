import { FilesRefused } from '#files/files-refused.js';
import { jobError, type JobError } from '#domain/exchange/job/job.rules.js';

/** Errors that are told one by one; of the others there is the number. */
const TOLD = 1000;
/** Characters of an error, which may quote a value of any length. */
const LONGEST_DETAILS = 1000;

/** Everything that is wrong with the files, as it is found. */
export class Problems {
  private readonly told: JobError[] = [];
  private count = 0;

  add(error: JobError): void {
    this.count += 1;
    if (this.told.length < TOLD) this.told.push({ ...error, details: error.details.slice(0, LONGEST_DETAILS) });
  }

  /** Throws `FilesRefused` where anything is wrong. */
  refuse(): void {
    if (!this.count) return;
    const others = this.count - this.told.length;
    throw new FilesRefused([
      ...this.told,
      ...(others ? [jobError(`And ${others} more ${others === 1 ? 'error' : 'errors'}: ${this.count} in all.`)] : []),
    ]);
  }
}
