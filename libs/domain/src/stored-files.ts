/** Every column that names a file of the storage, by its key. */
export const FILE_KEYS = [
  { table: 'export_job', column: 'file_key' },
  { table: 'import_job', column: 'file_key' },
] as const;
