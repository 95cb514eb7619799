import path from 'node:path';
import type { Configuration } from '../configuration.js';
import { BucketStorage } from './bucket-storage.js';
import type { FileStorage } from './file-storage.js';
import { FolderStorage } from './folder-storage.js';
import { readStorageUrl } from './storage-url.js';

/** The storage that the configuration names: `STORAGE_URL`, or the folder `files` below `DATA_DIR`. */
export function openStorage(configuration: Pick<Configuration, 'dataDir' | 'storageUrl'>): FileStorage {
  if (configuration.storageUrl === undefined) return new FolderStorage(path.join(configuration.dataDir, 'files'));
  const location = readStorageUrl(configuration.storageUrl);
  if ('problem' in location) throw new Error(`STORAGE_URL ${location.problem}.`);
  return 'bucket' in location ? new BucketStorage(location.bucket) : new FolderStorage(location.folder);
}
