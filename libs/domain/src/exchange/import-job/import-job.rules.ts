/** Retention period of an upload and its difference after the job's last change, in days. */
export const KEPT_DAYS = 14;

/** Approximate size of a staged row in the database without its values, including indexes. */
export const STAGED_ROW_BYTES = 250;

/** Unicode code points of a file's name. */
export const FILE_NAME_MAXIMUM_LENGTH = 255;

/** The effect of a row: it creates an item, changes one, has no effect, or deactivates one. */
export const IMPORT_ACTIONS = ['created', 'updated', 'unchanged', 'deactivated'] as const;

export type ImportAction = (typeof IMPORT_ACTIONS)[number];

/** Counts by action, by model. */
export type ImportSummary = Readonly<Record<string, Readonly<Record<ImportAction, number>>>>;

/** The title of a job in activities. */
export const importTitle = (id: string | number): string => `Import ${id}`;

/** The storage key of an upload. `token` is random, because the job has no id yet. */
export const importFileKey = (organizationId: number, token: string): string => `imports/${organizationId}/${token}`;
