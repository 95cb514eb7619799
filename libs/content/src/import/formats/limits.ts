import { LIMITS as FILE_LIMITS } from '#files/limits.js';

const MEBIBYTE = 2 ** 20;

/**
 * What imports may have at most, besides what their files may. An archive has a file for each model, and the manifest.
 */
export const LIMITS = {
  ...FILE_LIMITS,
  manifest: MEBIBYTE,
  /** Rows of a file, and errors in it after which it is read no further; and rows of all files of a job. */
  rows: 200_000,
  rowsOfJob: 1_000_000,
  /** Bytes of the database that rows of an organization's imports take, those of differences that are kept included. */
  staged: 2048 * MEBIBYTE,
  /** Characters of the values of a file's rows, where cells of a spreadsheet may share them. */
  values: 1024 * MEBIBYTE,
  /** Characters of an id that is remembered; none that an item can have is longer. */
  id: 20,
} as const;
