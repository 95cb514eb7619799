import path from 'node:path';
import type { Configuration } from '../configuration.js';
import type { FileStorage } from './file-storage.js';
import { FolderStorage } from './folder-storage.js';

/** The storage that the configuration names: `STORAGE_URL`, or the folder `files` below `DATA_DIR`. */
export function openStorage(configuration: Pick<Configuration, 'dataDir' | 'storageUrl'>): FileStorage {
  return new FolderStorage(path.join(configuration.dataDir, 'files'));
}
