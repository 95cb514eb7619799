import type { FileStorage } from '#platform/storage/file-storage.js';

/** Where files are kept, to be injected: `constructor(private readonly files: Files)`. */
// The class is the injection token, the interface of the same name says what is behind it.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export abstract class Files {}
export interface Files extends FileStorage {}
