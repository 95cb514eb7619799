import { type LoadedLibrary, loadLibrary } from '#content/library/load/load-library.js';
import { withOrm } from './backups/backups.js';
import type { TestDatabase } from './database.js';

/**
 * Loads a release of the starter library from a folder. Connects as the owner of the database, because the application
 * may not change built-in content.
 */
export const loadRelease = (database: TestDatabase, folder: string): Promise<LoadedLibrary> =>
  withOrm(database.url, (orm) => loadLibrary(orm.em.fork(), folder));
