import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '#domain/activity/activity.js';
import { lockRule } from '#domain/kernel/lock.js';
import { serviceOf } from '#domain/kernel/operator.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { defaultLibraryFolder, digestOf, readLibraryFiles } from '../schema/library-files.js';
import { checkStructure } from '../schema/library-rules.js';
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

/** The result of loading the library. */
export interface LoadedLibrary {
  /** False if the database already had this release. */
  readonly loaded: boolean;
  /** The digest of the release in `library_release`. */
  readonly digest: string;
  /** Number of rows added, changed or deactivated, by table. */
  readonly changed: Record<string, number>;
}

/**
 * Loads the starter library from a folder into the database, in one transaction. A release that is already loaded is
 * recognized by its digest. If two processes load at the same time, the second one waits and finds the work done.
 * Originals are added, changed or deactivated, but never deleted. What organizations have created or changed is kept;
 * in customized items, fields that they have not changed are updated. An upgrade is an activity of each organization.
 *
 * @throws BrokenLibrary with all errors in the files
 */
export async function loadLibrary(em: EntityManager, folder = defaultLibraryFolder()): Promise<LoadedLibrary> {
  const [files, references] = await Promise.all([readLibraryFiles(folder), referenceVersion()]);
  const digest = digestOf(files, references);
  if ((await latestRelease(em.fork())) === digest) return { loaded: false, digest, changed: {} };

  const library = parseLibrary(files, await readReferenceTables());
  const errors = checkStructure(library);
  if (errors.length) throw new BrokenLibrary(errors);

  return acrossOrganizations(em, 'load the library', async (transaction) => {
    await lockRule(transaction, 'starter library');
    const earlier = await latestRelease(transaction);
    if (earlier === digest) return { loaded: false, digest, changed: {} };
    const changed = await loadRelease(transaction, library);
    // After a downgrade, the older release is the latest one again.
    await sql`
      INSERT INTO library_release (digest) VALUES (${digest})
      ON CONFLICT (digest) DO UPDATE SET loaded_at = clock_timestamp()`.execute(transaction.getKysely());
    if (earlier !== undefined) await recordUpgrade(transaction, digest);
    // Without statistics, the planner takes the tables for almost empty and ignores their indexes.
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

/** Releases are told apart by the beginning of their digests. */
const DIGEST_LENGTH = 12;

async function recordUpgrade(em: EntityManager, digest: string): Promise<void> {
  const release = digest.slice(0, DIGEST_LENGTH);
  const { rows } = await sql<{ id: string }>`SELECT id FROM organization ORDER BY id`.execute(em.getKysely());
  for (const { id } of rows)
    await recordActivity(em, serviceOf(Number(id)), {
      subject: 'library_release',
      verb: 'Upgraded',
      id: release,
      title: release,
    });
}

async function latestRelease(em: EntityManager): Promise<string | undefined> {
  const { rows } = await sql<{ digest: string }>`
    SELECT digest FROM library_release ORDER BY loaded_at DESC LIMIT 1`.execute(em.getKysely());
  return rows[0]?.digest;
}
