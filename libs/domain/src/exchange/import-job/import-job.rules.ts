/** How long an upload and its difference are kept after the last thing that happened to the job. */
export const KEPT_DAYS = 14;

/** What a row of an import takes of the database besides its values: about, with its indexes. */
export const STAGED_ROW_BYTES = 250;

/** Unicode code points of a file's name. */
export const FILE_NAME_MAXIMUM_LENGTH = 255;

/** What became of a row: it would make an item, change one, switch one off, or do nothing. */
export const IMPORT_ACTIONS = ['created', 'updated', 'unchanged', 'deactivated'] as const;

export type ImportAction = (typeof IMPORT_ACTIONS)[number];

/** Counts by action, by model. */
export type ImportSummary = Readonly<Record<string, Readonly<Record<ImportAction, number>>>>;

/** What activities call a job. */
export const importTitle = (id: string | number): string => `Import ${id}`;

/** Where an upload is kept. `token` is random: the job has no number yet. */
export const importFileKey = (organizationId: number, token: string): string => `imports/${organizationId}/${token}`;
