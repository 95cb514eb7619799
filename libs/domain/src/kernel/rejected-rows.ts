import { DomainError } from './domain-errors.js';

/**
 * A set-based command rejected rows and wrote none. Holds the error of each row, in order; undefined for a valid one.
 */
export class RejectedRows extends Error {
  constructor(readonly errors: readonly (DomainError | undefined)[]) {
    super('Rows were rejected.');
    this.name = 'RejectedRows';
  }
}

/** Throws `RejectedRows` if any row has an error. */
export function throwIfRejected(errors: readonly (DomainError | undefined)[]): void {
  if (errors.some(Boolean)) throw new RejectedRows(errors);
}

/** The result of a set-based command for a single row. Throws that row's error if it was rejected. */
export async function onlyRow<Result>(command: Promise<readonly Result[]>): Promise<Result> {
  try {
    const [result] = await command;
    if (result === undefined) throw new Error('A command of one row has no result.');
    return result;
  } catch (error) {
    throw (error instanceof RejectedRows && error.errors[0]) || error;
  }
}
