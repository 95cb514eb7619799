import { LIMITS as FILE_LIMITS } from '#files/limits.js';

const MEBIBYTE = 2 ** 20;

/**
 * Limits of an import, in addition to those of its file formats. An archive has one file for each model and the
 * manifest.
 */
export const LIMITS = {
  ...FILE_LIMITS,
  manifest: MEBIBYTE,
  /** Maximum number of rows in a file and in all files of a job, and of errors in a file before reading stops. */
  rows: 200_000,
  rowsOfJob: 1_000_000,
  /**
   * Maximum size of an organization's staged rows in the database, including those of differences that are kept, in
   * bytes.
   */
  staged: 2048 * MEBIBYTE,
  /** Maximum number of characters in the values of a file: the cells of a small spreadsheet may share long texts. */
  values: 1024 * MEBIBYTE,
  /** Maximum length of an id that is kept in memory. Ids of items are shorter. */
  id: 20,
} as const;
