/** Retention period of an upload and its difference after the job's last change, in days. */
export const KEPT_DAYS = 14;

/** Approximate size of a staged row in the database without its values, including indexes. */
export const STAGED_ROW_BYTES = 250;

/** Unicode code points of a file's name. */
export const MAX_FILE_NAME_LENGTH = 255;

/** The effect of a row: it creates an item, changes one, has no effect, or deactivates one. */
export const IMPORT_ACTIONS = ['created', 'updated', 'unchanged', 'deactivated'] as const;

export type ImportAction = (typeof IMPORT_ACTIONS)[number];

/** Counts by action, by model. */
export type ImportSummary = Readonly<Record<string, Readonly<Record<ImportAction, number>>>>;

/** What is interpreted in files: the file as a whole, its columns, or its values. */
export const INTERPRETATION_KINDS = [
  'encoding',
  'separator',
  'sheet',
  'column',
  'empty row',
  'merged cell',
  'date',
  'text',
  'list',
  'choice',
  'id',
] as const;

/** How files were understood where they differ from exports. */
export interface ImportInterpretation {
  readonly kind: (typeof INTERPRETATION_KINDS)[number];
  readonly file: string;
  /** The column; null if it concerns the file as a whole. */
  readonly field: string | null;
  /** The first row that it concerns; null if it concerns the file as a whole. */
  readonly row: number | null;
  /** The number of rows. */
  readonly count: number;
  readonly details: string;
}

/** What a reviewer sees besides the rows of a difference. */
export interface ReviewedImport {
  readonly summary: ImportSummary;
  readonly interpreted: readonly ImportInterpretation[];
}

/** The title of a job in activities. */
export const importTitle = (id: string | number): string => `Import ${id}`;

/** The storage key of an upload. `token` is random, because the job has no id yet. */
export const importFileKey = (organizationId: number, token: string): string => `imports/${organizationId}/${token}`;
