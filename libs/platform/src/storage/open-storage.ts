import path from 'node:path';
import type { Configuration } from '../configuration.js';
import type { FileStorage } from './file-storage.js';
import { FolderStorage } from './folder-storage.js';
import { readStorageUrl } from './storage-url.js';

/** Opens the configured storage: `STORAGE_URL`, or the folder `files` below `DATA_DIR`. */
export async function openStorage(
  configuration: Pick<Configuration, 'dataDir' | 'storageUrl'> & Partial<Pick<Configuration, 'minFreeDiskBytes'>>,
): Promise<FileStorage> {
  const { minFreeDiskBytes } = configuration;
  if (configuration.storageUrl === undefined)
    return new FolderStorage(path.join(configuration.dataDir, 'files'), minFreeDiskBytes);
  const location = readStorageUrl(configuration.storageUrl);
  if ('error' in location) throw new Error(`STORAGE_URL ${location.error}.`);
  if (!('bucket' in location)) return new FolderStorage(location.folder, minFreeDiskBytes);
  // Loaded on demand, since the S3 client takes memory and time to load.
  const { BucketStorage } = await import('./bucket-storage.js');
  return new BucketStorage(location.bucket);
}
