import { MikroORM } from '@mikro-orm/postgresql';
import { loadLibrary } from '#content/library/load/load-library.js';
import type { LoadedLibrary } from '#content/library/load/load-library.js';
import { ormOptions } from '#orm';
import type { TestDatabase } from './database.js';

/** Loads a release of the starter library from a folder, as its owner does: the application may not change built-in tables. */
export async function loadRelease(database: TestDatabase, folder: string): Promise<LoadedLibrary> {
  const orm = await MikroORM.init({
    ...ormOptions({ url: database.url, poolSize: 2, timeZone: 'UTC' }),
    logger: () => undefined,
  });
  try {
    return await loadLibrary(orm.em.fork(), folder);
  } finally {
    await orm.close();
  }
}
