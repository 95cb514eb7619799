import type { FileStorage } from '#platform/storage/file-storage.js';

/** Injection token of where files are kept: `constructor(private readonly files: Files)`. */
export abstract class Files {}
export interface Files extends FileStorage {}
