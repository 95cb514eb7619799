import { Refusal } from './domain-errors.js';

/**
 * A set-based command rejected rows and wrote none. Holds the error of each row, in order; undefined for a valid one.
 */
export class RefusedRows extends Error {
  constructor(readonly refusals: readonly (Refusal | undefined)[]) {
    super('Rows were refused.');
    this.name = 'RefusedRows';
  }
}

/** Throws `RefusedRows` if any row has an error. */
export function refuseRows(refusals: readonly (Refusal | undefined)[]): void {
  if (refusals.some(Boolean)) throw new RefusedRows(refusals);
}

/** The result of a set-based command for a single row. Throws that row's error if it was rejected. */
export async function onlyRow<Result>(command: Promise<readonly Result[]>): Promise<Result> {
  try {
    const [result] = await command;
    if (result === undefined) throw new Error('A command of one row has no result.');
    return result;
  } catch (error) {
    throw (error instanceof RefusedRows && error.refusals[0]) || error;
  }
}
