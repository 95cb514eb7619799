import { Refusal } from './domain-errors.js';

/** A set-based command refused rows, and wrote none: why, in the order of the rows; undefined where a row is sound. */
export class RefusedRows extends Error {
  constructor(readonly refusals: readonly (Refusal | undefined)[]) {
    super('Rows were refused.');
    this.name = 'RefusedRows';
  }
}

/** Throws `RefusedRows` where any row is refused. */
export function refuseRows(refusals: readonly (Refusal | undefined)[]): void {
  if (refusals.some(Boolean)) throw new RefusedRows(refusals);
}

/** The result of a set-based command that was called with one row. Throws why that row was refused. */
export async function onlyRow<Result>(command: Promise<readonly Result[]>): Promise<Result> {
  try {
    const [result] = await command;
    if (result === undefined) throw new Error('A command of one row has no result.');
    return result;
  } catch (error) {
    throw (error instanceof RefusedRows && error.refusals[0]) || error;
  }
}
