/** A small fault in what a statement or a constant says, which Stryker can't make, and which a test has to notice. */
export interface SqlMutant {
  /** The file, from the root of the repository. */
  readonly file: string;
  /** What is there exactly once. */
  readonly search: string;
  readonly replacement: string;
  /** The words of the path by which `npm test -- <words>` finds the suites that notice it. */
  readonly spec: string;
}

/** Mutants of one file, which the same suites notice: what is there, and what replaces it. */
export const mutantsOf = (
  file: string,
  spec: string,
  changes: readonly (readonly [search: string, replacement: string])[],
): SqlMutant[] => changes.map(([search, replacement]) => ({ file, spec, search, replacement }));
