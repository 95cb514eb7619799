/** A small fault in a statement or a constant, which Stryker can't make and a test has to notice. */
export interface SqlMutant {
  /** The file, from the root of the repository. */
  readonly file: string;
  /** The text to replace, which the file contains exactly once. */
  readonly search: string;
  readonly replacement: string;
  /** The words of the path by which `npm test -- <words>` finds the suites that notice it. */
  readonly spec: string;
}

/** Mutants of one file that the same suites notice. */
export const mutantsOf = (
  file: string,
  spec: string,
  changes: readonly (readonly [search: string, replacement: string])[],
): SqlMutant[] => changes.map(([search, replacement]) => ({ file, spec, search, replacement }));
