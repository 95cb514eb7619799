import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { lockRule } from '#domain/kernel/lock.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { defaultLibraryFolder, digestOf, readLibraryFiles } from '../schema/library-files.js';
import { checkStructure } from '../rules/library-rules.js';
import { BrokenLibrary, type Library, parseLibrary } from '../schema/library-schema.js';
import { loadAttributes, loadConditionAttributes } from './load-attributes.js';
import { loadComponentIcons, loadComponents } from './load-components.js';
import { loadGuidance } from './load-guidance.js';
import { loadItems } from './load-items.js';
import { loadParts } from './load-parts.js';
import { loadPublicTables } from './load-public-tables.js';
import { loadReference } from './load-reference.js';
import { loadRegulations } from './load-regulations.js';
import { loadSurvey } from './load-survey.js';
import { loadThreats } from './load-threats.js';
import { readReferenceTables, referenceVersion } from '../public-tables/reference-tables.js';
import { BuiltInTables } from './built-in-tables.js';
import { readOriginals, upgradeVersions } from './upgrade-versions.js';

/** What a load did. */
export interface LoadedLibrary {
  /** False where the database had this release already. */
  readonly loaded: boolean;
  /** What the release is known by in `library_release`. */
  readonly digest: string;
  /** Rows added, changed or taken out of use, by table. */
  readonly changed: Record<string, number>;
}

/**
 * Brings the starter library in a folder into the database: all of it in one transaction, or nothing. A release that is
 * there already costs a look at its files. Of two processes at once, the second finds the work of the first.
 * Originals are added, changed or made inactive, never deleted; what organizations have made or changed stays as it is,
 * and what they have not changed follows, in versions of their own too.
 *
 * @throws BrokenLibrary with all problems where the files have another form than expected or don't fit together
 */
export async function loadLibrary(em: EntityManager, folder = defaultLibraryFolder()): Promise<LoadedLibrary> {
  const [files, references] = await Promise.all([readLibraryFiles(folder), referenceVersion()]);
  const digest = digestOf(files, references);
  if ((await latestRelease(em.fork())) === digest) return { loaded: false, digest, changed: {} };

  const library = parseLibrary(files, await readReferenceTables());
  const problems = checkStructure(library);
  if (problems.length) throw new BrokenLibrary(problems);

  return acrossOrganizations(em, 'load the library', async (transaction) => {
    await lockRule(transaction, 'starter library');
    if ((await latestRelease(transaction)) === digest) return { loaded: false, digest, changed: {} };
    const changed = await loadRelease(transaction, library);
    // An older release may come back: it is the latest again then.
    await sql`
      INSERT INTO library_release (digest) VALUES (${digest})
      ON CONFLICT (digest) DO UPDATE SET loaded_at = clock_timestamp()`.execute(transaction.getKysely());
    // The planner takes tables that it knows nothing about for almost empty, and leaves their indexes aside.
    await sql`ANALYZE`.execute(transaction.getKysely());
    return { loaded: true, digest, changed };
  });
}

async function loadRelease(em: EntityManager, library: Library): Promise<Record<string, number>> {
  const tables = new BuiltInTables(em);
  const before = await readOriginals(em);
  await loadPublicTables(tables, library);
  await loadReference(tables, library);
  await loadAttributes(tables, library);
  await loadSurvey(tables, library);
  await loadItems(tables, library);
  await loadParts(tables, library);
  await loadThreats(tables, library);
  await loadConditionAttributes(tables);
  await loadRegulations(tables, library);
  await loadComponentIcons(tables, library);
  await loadComponents(tables, library);
  await loadGuidance(tables, library);
  await upgradeVersions(em, before);
  return tables.changed;
}

async function latestRelease(em: EntityManager): Promise<string | undefined> {
  const { rows } = await sql<{ digest: string }>`
    SELECT digest FROM library_release ORDER BY loaded_at DESC LIMIT 1`.execute(em.getKysely());
  return rows[0]?.digest;
}
